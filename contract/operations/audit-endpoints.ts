/**
 * The audit log: who did what, when and from where, with the values before and after. It can be read, exported and verified,
 * never changed.
 */
import { z } from 'zod';
import { integerText, TicketParams } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';
import { isPlainText, plainTextRule } from '../base/plain-text.ts';
import { exportFormats } from '../records/export-endpoints.ts';

/** `refused`: the service rejected the action. `failed`: an error interrupted it, at an unknown point. */
export const auditOutcomes = ['done', 'refused', 'failed'] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

export const AuditRecord = z.object({
  /** Numbered from 1 without gaps. */
  id: z.number().int(),
  time: z.number().describe('Epoch milliseconds'),
  /** Null when nobody was signed in, for a licensed client, and for the service itself. */
  userId: z.number().int().nullable(),
  userName: z.string().nullable(),
  keyName: z.string().nullable().describe('The API key that was used'),
  clientId: z.number().int().nullable(),
  clientName: z.string().nullable().describe('The licensed client that did it'),
  action: z.string().describe('The name of the call, or of an automatic action of the service'),
  summary: z.string().describe('Description of the action'),
  subject: z.string().describe('The object of the action'),
  /** Secrets are masked, and long values shortened. */
  before: z.unknown(),
  after: z.unknown(),
  /** The request's parameters, when the action recorded no change. */
  parameters: z.unknown(),
  /** Empty for the service itself. */
  address: z.string(),
  requestId: z.string(),
  outcome: z.enum(auditOutcomes),
  code: z.string().describe('Why it failed; empty on success'),
  hash: z.string().describe('HMAC-SHA-256 of this entry and the hash of the one before, in hex'),
});
export type AuditRecord = z.infer<typeof AuditRecord>;

const instant = z.number().int().min(0).max(8.64e15);
const inText = (number: z.ZodNumber) => integerText.pipe(number);
const plain = z.string().trim().max(200).refine(isPlainText, plainTextRule);
const phrase = plain.min(1);

const conditions = {
  user: phrase.optional().describe('Part of the name of a user, an API key or a licensed client'),
  action: plain.optional(),
  subject: phrase.optional().describe('Part of the subject'),
  outcome: z.enum(auditOutcomes).optional(),
  requestId: plain.optional(),
};

/** All conditions must hold. `from` is inclusive, `to` exclusive. */
export const AuditFilter = z.strictObject({
  ...conditions,
  from: instant.optional(),
  to: instant.optional(),
});
export type AuditFilter = z.infer<typeof AuditFilter>;

const admin = { tag: 'Audit', access: 'admin', scope: 'manage' } as const;

export const auditEndpoint = defineEndpoint({
  ...admin,
  name: 'audit',
  summary: 'Entries of the audit log, newest first',
  method: 'GET',
  path: '/audit',
  query: z.strictObject({
    ...conditions,
    from: inText(instant).optional().describe('Epoch milliseconds, itself included'),
    to: inText(instant).optional().describe('Epoch milliseconds, itself not included'),
    olderThan: inText(z.number().int())
      .optional()
      .describe('The last id of the previous page: `next` of its reply'),
    size: inText(z.number().min(1).max(1000)).default(50),
  }),
  /** `next` is null on the last page. */
  reply: z.object({
    objList: z.array(AuditRecord),
    next: z.number().int().nullable(),
    totalCount: z
      .number()
      .int()
      .nullable()
      .describe('Entries that match. Null with olderThan: the first page has counted them'),
  }),
});

export const auditActionsEndpoint = defineEndpoint({
  ...admin,
  name: 'audit_actions',
  summary: 'The actions that occur in the audit log',
  method: 'GET',
  path: '/audit/actions',
  reply: z.object({ objList: z.array(z.object({ action: z.string(), summary: z.string() })) }),
});

export const AuditVerification = z.object({
  intact: z.boolean(),
  checked: z.number().int().describe('Entries that were verified as unaltered'),
  otherKey: z
    .number()
    .int()
    .describe('Of these, chained with another key: their order is verified, their content is not'),
  anchored: z
    .number()
    .int()
    .describe('Of these, compared with the record the service keeps in DATA_DIR'),
  /** The first entry that was changed or is missing. */
  firstBroken: z.object({ id: z.number().int(), reason: z.string() }).nullable(),
  /** Earlier entries were removed by the retention. */
  firstId: z.number().int(),
  lastId: z.number().int(),
  lastHash: z
    .string()
    .describe('Stored elsewhere, it proves later that no entry up to here was rewritten'),
  verifiedAt: z.number().describe('Epoch milliseconds'),
});
export type AuditVerification = z.infer<typeof AuditVerification>;

export const verifyAuditEndpoint = defineEndpoint({
  ...admin,
  name: 'verify_audit',
  summary: 'Verify that no entry of the audit log was changed or removed',
  method: 'POST',
  path: '/audit/verify',
  reply: AuditVerification,
});

export const exportAuditEndpoint = defineEndpoint({
  ...admin,
  name: 'export_audit',
  summary: 'Request entries of the audit log as a file',
  method: 'POST',
  path: '/audit/export',
  body: z.strictObject({ format: z.enum(exportFormats), filter: AuditFilter }),
  /** `path` is below /api, and valid once within a minute, without a token. */
  reply: z.object({ path: z.string(), fileName: z.string() }),
  status: 201,
});

export const auditFileEndpoint = defineEndpoint({
  name: 'audit_file',
  summary: 'The file of a ticket, streamed: entries of the audit log, newest first',
  tag: 'Audit',
  method: 'GET',
  path: '/audit/export/{ticket}',
  secretParams: ['ticket'],
  once: true,
  access: 'public',
  params: TicketParams,
  reply: z.string(),
  streams: 'file',
});
