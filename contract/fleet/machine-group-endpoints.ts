/** Groups of machines, their owners and due dates, and the tags of machines. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { defaultDuePolicy } from '@patch/catalogue/fleet/due-date.ts';
import { z } from 'zod';
import { IdParams, plainLine } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';
import { RequestedCriteria } from '../base/requested-criteria.ts';
import { isEmail } from '../form-rules/text-rules.ts';

const tag = 'Machines';
const users = { tag, access: 'standard', scope: 'read' } as const;
const admins = { tag, access: 'admin', scope: 'clients' } as const;

export const maxGroups = 500;
export const maxTags = 20;
export const minDueDays = 1;
export const maxDueDays = 730;

const dueDays = z.number().int().min(minDueDays).max(maxDueDays);

export const DuePolicy = z.strictObject({
  cisa: z.boolean().describe('Whether the due date of CISA counts, where it states one'),
  exploited: dueDays.describe(
    'Days for known exploited records, from the day on which CISA added the CVE, or from the release where that is later',
  ),
  serious: dueDays.describe('Days from the release of critical and important records'),
  others: dueDays.describe('Days from the release of all others'),
});

const { exploited, serious, others } = defaultDuePolicy;
const defaultWords = `CISA's date or ${exploited} days for known exploited records, ${serious} days for critical and important ones, ${others} for the rest`;

/** Criteria on the list of machines in a request. */
export const MachineCriteria = RequestedCriteria.describe(
  'Criteria on the list of machines, written as in its address, or that address; empty: all machines',
);

export const GroupOwner = z.union([
  z.strictObject({ userId: z.number().int().min(1) }),
  z.strictObject({
    address: z
      .string()
      .trim()
      .max(320)
      .refine(isEmail, 'must be an email address')
      .describe('Of a person without an account'),
  }),
]);

/** An owner, as replies have it. */
export const StoredOwner = z.object({
  userId: z.number().int().nullable(),
  name: z.string().describe('The name of the user, or the address'),
  address: z.string().nullable(),
});

export const MachineGroup = z.object({
  id: z.number().int(),
  name: z.string(),
  criteria: z
    .string()
    .nullable()
    .describe('Null: the machines that report with the keys of the group'),
  owner: StoredOwner.nullable(),
  duePolicy: DuePolicy.nullable().describe(
    `Until when missing records are due; null: the default, ${defaultWords}. A machine in several groups has the earliest date`,
  ),
  machines: z.number().int().nullable().describe('Null: the criteria are no longer valid'),
  overdue: z
    .number()
    .int()
    .nullable()
    .describe('Those of them that miss an overdue record, as the criterion overdue finds them'),
  problem: z.string().nullable().describe('Why the criteria are no longer valid'),
});
export type MachineGroup = z.infer<typeof MachineGroup>;

const GroupName = plainLine(100, 'Size of Name must be at most 100.').refine(
  (name) => !/^#\d+$/.test(name),
  'must not be a number behind #, which names a group by its number',
);

export const machineGroupsEndpoint = defineEndpoint({
  ...users,
  machines: 'own',
  name: 'machine_groups',
  summary: 'All groups of machines with their owners and the number of their machines now, by name',
  method: 'GET',
  path: '/machines/groups',
  reply: z.object({ objList: z.array(MachineGroup), totalCount: z.number().int() }),
});

export const createMachineGroupEndpoint = defineEndpoint({
  ...admins,
  name: 'create_machine_group',
  summary: 'Create a group: the machines that meet the criteria at any time',
  method: 'POST',
  path: '/machines/groups',
  body: z.strictObject({
    name: GroupName,
    criteria: MachineCriteria.describe(
      'Criteria on the list of machines, written as in its address, or that address, without criteria on groups; empty: all machines',
    ),
    owner: GroupOwner.nullable().default(null),
    duePolicy: DuePolicy.nullable().default(null),
  }),
  reply: MachineGroup,
  status: 201,
});

export const changeMachineGroupEndpoint = defineEndpoint({
  ...admins,
  name: 'change_machine_group',
  summary:
    'Change the name, the criteria, the owner or the due dates of a group; omitted fields stay. A group whose machines report with its keys has no criteria',
  method: 'PUT',
  path: '/machines/groups/{id}',
  params: IdParams,
  body: z.strictObject({
    name: GroupName.optional(),
    criteria: MachineCriteria.optional(),
    owner: GroupOwner.nullable().optional(),
    duePolicy: DuePolicy.nullable().optional().describe('Null: the default'),
  }),
  reply: MachineGroup,
});

export const removeMachineGroupEndpoint = defineEndpoint({
  ...admins,
  name: 'remove_machine_group',
  summary:
    'Remove a group; its machines stay. 409 `group_in_use` while machines report with its keys or keys exist',
  method: 'DELETE',
  path: '/machines/groups/{id}',
  params: IdParams,
  reply: z.object({}),
});

/** A word that people put on machines: no comma, because lists of tags have them. */
export const MachineTag = plainLine(50).refine((text) => !/[,\n]/.test(text), {
  message: 'must not contain a comma',
});

export const tagMachinesEndpoint = defineEndpoint({
  ...admins,
  name: 'tag_machines',
  summary: `Add tags to machines and remove tags from them; a machine has at most ${maxTags}. Tags that a machine reports by itself stay`,
  method: 'POST',
  path: '/machines/tags',
  body: z
    .strictObject({
      machines: z.array(z.number().int().min(1)).min(1).max(10_000).optional(),
      criteria: MachineCriteria.optional(),
      add: z.array(MachineTag).max(maxTags).default([]),
      remove: z.array(MachineTag).max(maxTags).default([]),
    })
    .refine(
      ({ machines, criteria }) => (machines === undefined) !== (criteria === undefined),
      'must have either machines or criteria',
    )
    .refine(({ add, remove }) => add.length + remove.length > 0, 'must have tags to add or remove')
    .refine(
      ({ add, remove }) => new Set(add.map(fold)).isDisjointFrom(new Set(remove.map(fold))),
      'must not add and remove the same tag; case does not matter',
    ),
  reply: z.object({
    machines: z.number().int().describe('Machines that were found'),
    changed: z.number().int().describe('Machines whose tags are others than before'),
  }),
});
