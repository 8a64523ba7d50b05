/** Exceptions: decisions that a record may be missing on some machines, each with a kind, a reason, an owner and an end. */
import { z } from 'zod';
import { IdParams, instant, integerText, plainLine } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';
import { type ExceptionKind, exceptionKinds } from './exception-kinds.ts';
import { GroupOwner, StoredOwner } from './machine-group-endpoints.ts';

const tag = 'Machines';
const users = { tag, access: 'standard', scope: 'read' } as const;
const operators = { tag, access: 'operator', scope: 'clients' } as const;

/** Exceptions end after at most these days, so that longer ones are decided again. */
export const maxExceptionDays = 366;
/** Owners and events warn of an end this many days before. */
export const exceptionWarningDays = 7;
export const maxReasonLength = 500;

const Kind = z
  .enum(exceptionKinds)
  .describe(
    'accepted: the risk is taken; not_applicable: the record does not concern the machines; waiting: for a vendor, a window or another change',
  );

export const exceptionScopes = ['machine', 'client', 'group', 'all'] as const;
const ExceptionScope = z
  .enum(exceptionScopes)
  .describe(
    'machine: one machine; client: all machines of its client, or that report to its group, at any time; group: the machines that a group had when it was decided; all: all machines at any time',
  );
export type ExceptionScope = z.infer<typeof ExceptionScope>;

/** An exception, as the machines that it concerns show it. */
export const AcceptedMissing = z.object({
  exceptionId: z.number().int(),
  kind: Kind,
  until: instant.nullable().describe('The record counts as missing from then on; null: no end'),
  reason: z.string(),
  by: z.string().describe('Who decided it'),
  owner: StoredOwner.nullable().describe(
    'Who is told before it ends; null: decided before exceptions had owners, or the user was removed',
  ),
  scope: ExceptionScope,
});
export type AcceptedMissing = z.infer<typeof AcceptedMissing>;

const content = {
  kind: Kind.default('accepted'),
  until: instant
    .nullable()
    .default(null)
    .describe(
      `In the future, at most ${maxExceptionDays} days ahead; only not_applicable may have no end`,
    ),
  reason: plainLine(maxReasonLength),
};

const hasEnd = ({ kind, until }: { readonly kind: ExceptionKind; readonly until: number | null }) =>
  until !== null || kind === 'not_applicable';
const endRequired = { path: ['until'], message: 'is required for this kind of exception' };

export const acceptMissingEndpoint = defineEndpoint({
  ...operators,
  machines: 'own',
  name: 'accept_missing',
  summary:
    'Except a missing record until a date: on one machine, all machines of its client, those of a group, or all; counted apart until then. Replaces an exception for the same',
  method: 'POST',
  path: '/machines/{id}/exceptions',
  params: IdParams,
  body: z
    .strictObject({
      ...content,
      list: z.string().max(100),
      recordId: z.number().int().min(1),
      owner: GroupOwner.optional().describe('Absent: the user who calls'),
      scope: ExceptionScope.default('machine'),
      groupId: z.number().int().min(1).optional().describe('Of the scope group'),
    })
    .refine(hasEnd, endRequired)
    .refine(({ scope, groupId }) => (scope === 'group') === (groupId !== undefined), {
      path: ['groupId'],
      message: 'is required for the scope group, and for no other',
    }),
  status: 201,
  reply: AcceptedMissing,
});

export const changeExceptionEndpoint = defineEndpoint({
  ...operators,
  machines: 'own',
  name: 'change_missing_exception',
  summary: 'Change the kind, the end, the reason or the owner of an exception, as to prolong it',
  method: 'PUT',
  path: '/machines/exceptions/{exceptionId}',
  params: z.object({ exceptionId: integerText }),
  body: z
    .strictObject({
      ...content,
      kind: Kind,
      owner: GroupOwner.optional().describe('Absent: the owner stays'),
    })
    .refine(hasEnd, endRequired),
  reply: z.object({}),
});

export const endExceptionEndpoint = defineEndpoint({
  ...operators,
  machines: 'own',
  name: 'end_missing_exception',
  summary: 'End an exception before its date: the record counts as missing again',
  method: 'DELETE',
  path: '/machines/exceptions/{exceptionId}',
  params: z.object({ exceptionId: integerText }),
  reply: z.object({}),
});

export const ListedException = AcceptedMissing.extend({
  list: z.string(),
  recordId: z.number().int(),
  identifier: z.string().nullable().describe('Null: the record has none'),
  title: z.string().nullable(),
  machineId: z.number().int().nullable().describe('Of the scope machine'),
  name: z
    .string()
    .nullable()
    .describe(
      'Of the machine when it was decided, of the client or group; null: all machines, or the name is gone',
    ),
  machines: z.number().int().nullable().describe('Of the scope group: machines that it had'),
  holds: z
    .boolean()
    .describe(
      'False: the record is withdrawn; or each machine has another name since, or another machine reports its key, so that the record counts as missing',
    ),
  withdrawnTime: instant
    .nullable()
    .describe('When the vendor was first seen not to list the record; null: it is listed'),
});
export type ListedException = z.infer<typeof ListedException>;

export const exceptionsEndpoint = defineEndpoint({
  ...users,
  machines: 'own',
  name: 'missing_exceptions',
  summary:
    'Exceptions that are valid now, those that end first in front, those without end last; or those that have ended or do not hold any more',
  method: 'GET',
  path: '/machines/exceptions',
  query: z.strictObject({
    offset: integerText.pipe(z.number().max(10_000_000)).default(0),
    size: integerText.pipe(z.number().min(1).max(1000)).default(100),
    kind: Kind.optional(),
    endsWithin: integerText
      .pipe(z.number().max(maxExceptionDays))
      .optional()
      .describe('Days in which they end'),
    endedWithin: integerText
      .pipe(z.number().max(maxExceptionDays))
      .optional()
      .describe(
        'Days in which they ended: those instead of the valid ones, with those that do not hold any more, the last one in front',
      ),
    owner: plainLine(320)
      .optional()
      .describe('The number of a user, an email address, or `none` for those without an owner'),
    group: plainLine(100)
      .optional()
      .describe('The name or #number of a group: those that concern one of its machines'),
    client: integerText
      .optional()
      .describe('The number of a client: those that concern one of its machines'),
  }),
  reply: z.object({
    objList: z.array(ListedException),
    totalCount: z.number().int(),
    counts: z
      .object({
        accepted: z.number().int(),
        not_applicable: z.number().int(),
        waiting: z.number().int(),
        endSoon: z.number().int().describe(`Those that end within ${exceptionWarningDays} days`),
      })
      .describe('Whatever kind and end the query has'),
  }),
});
