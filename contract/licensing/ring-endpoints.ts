/**
 * Rings: licensed clients that get the catalogue as it was at a checkpoint, but for records that are decided about, and groups whose machines
 * are judged by it.
 */
import { z } from 'zod';
import { IdParams, instant, plainLine } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';
import { maxReasonLength } from '../fleet/exception-endpoints.ts';
import { maxGroups } from '../fleet/machine-group-endpoints.ts';
import { maxAfterDays } from './checkpoint-rule-endpoints.ts';

const tag = 'Rings';
const users = { tag, access: 'standard', scope: 'read' } as const;
const approvers = { tag, access: 'approver', scope: 'clients' } as const;

export const maxRings = 50;
const maxRingClients = 9_000;
export const maxDecisions = 1_000;
/** Records of one name, such as a KB for each of its products. */
export const maxDecidedRecords = 1_000;

const Named = z.object({ id: z.number().int(), name: z.string() });

const AfterDays = z
  .number()
  .int()
  .min(0)
  .max(maxAfterDays)
  .describe('How old the checkpoints of the rule must be');

export const Ring = z.object({
  id: z.number().int(),
  name: z.string(),
  checkpoint: Named,
  promotedTime: instant.describe('When it was moved to its checkpoint'),
  promotedBy: z.string().describe('A user, or the rule that the ring follows'),
  clients: z.array(Named).describe('Licensed clients, by name'),
  groups: z.array(Named).describe('Groups whose machines report with keys, by name'),
  follows: z
    .object({ rule: Named, afterDays: AfterDays })
    .nullable()
    .describe('Null: it is moved by hand alone'),
  passesExploited: z
    .boolean()
    .describe('Whether its clients get known exploited records as they are now'),
  approved: z.number().int().describe('Decisions that approve'),
  declined: z.number().int().describe('Decisions that decline'),
});
export type Ring = z.infer<typeof Ring>;

const RingName = plainLine(100, 'Size of Name must be at most 100.');
const CheckpointId = z.number().int().min(1);
const ClientIds = z
  .array(z.number().int().min(1))
  .max(maxRingClients)
  .describe('All members. A client is in one ring at most: one of another ring moves to this one');
const GroupIds = z
  .array(z.number().int().min(1))
  .max(maxGroups)
  .describe(
    'All groups of machines that report with keys and are judged by the ring. A group is in one ring at most: one of another ring moves to this one',
  );

const Follows = z
  .strictObject({ rule: z.number().int().min(1), afterDays: AfterDays })
  .nullable()
  .describe(
    'The ring moves by itself to the newest checkpoint of the rule that is so old; never back, and never to one that it has left. Null: it is moved by hand alone',
  );

const PassesExploited = z
  .boolean()
  .describe(
    'Whether records that fix a known exploited CVE reach the clients of the ring as they are now, whatever the checkpoint has. What is declined does not',
  );

export const ringsEndpoint = defineEndpoint({
  ...users,
  name: 'rings',
  summary: 'All rings with their checkpoints, clients and groups of machines, by name',
  method: 'GET',
  path: '/rings',
  reply: z.object({ objList: z.array(Ring), totalCount: z.number().int() }),
});

export const createRingEndpoint = defineEndpoint({
  ...approvers,
  name: 'create_ring',
  summary:
    'Create a ring: its clients get the catalogue as it was at its checkpoint, and their machines and those of its groups are patched by it',
  method: 'POST',
  path: '/rings',
  body: z.strictObject({
    name: RingName,
    checkpoint: CheckpointId,
    clients: ClientIds.default([]),
    groups: GroupIds.default([]),
    follows: Follows.default(null),
    passesExploited: PassesExploited.default(false),
  }),
  reply: Ring,
  status: 201,
});

export const changeRingEndpoint = defineEndpoint({
  ...approvers,
  name: 'change_ring',
  summary:
    'Move a ring to another checkpoint, older or newer, or change its name, its clients, its groups, the rule that it follows or whether exploited records pass; omitted fields stay',
  method: 'PUT',
  path: '/rings/{id}',
  params: IdParams,
  body: z.strictObject({
    name: RingName.optional(),
    checkpoint: CheckpointId.optional(),
    clients: ClientIds.optional(),
    groups: GroupIds.optional(),
    follows: Follows.optional(),
    passesExploited: PassesExploited.optional(),
  }),
  reply: Ring,
});

export const removeRingEndpoint = defineEndpoint({
  ...approvers,
  name: 'remove_ring',
  summary:
    'Remove a ring; its clients get the catalogue as it is again, and nothing is held back on its machines',
  method: 'DELETE',
  path: '/rings/{id}',
  params: IdParams,
  reply: z.object({}),
});

export const decisions = ['approved', 'declined'] as const;

const content = {
  list: z.string().max(100).describe('A list of a vendor, such as kb_repository'),
  name: plainLine(200).describe('What names the records in the list, such as KB5034441'),
  decision: z
    .enum(decisions)
    .describe(
      'approved: the clients of the ring get the records as they are now, and each later change, whatever the checkpoint has; declined: they do not get them',
    ),
  reason: plainLine(maxReasonLength),
};

export const RingDecision = z.object({
  id: z.number().int(),
  ...content,
  list: z.string(),
  name: z.string(),
  reason: z.string(),
  label: z.string().describe('Of the list'),
  records: z.number().int().describe('How many records had the name when it was decided'),
  firstRecord: z.number().int().nullable().describe('One of them'),
  isCaughtUp: z
    .boolean()
    .describe('True: the checkpoint has what is approved as it is now, so that nothing passes'),
  decidedTime: instant,
  decidedBy: z.string(),
});
export type RingDecision = z.infer<typeof RingDecision>;

export const ringDecisionsEndpoint = defineEndpoint({
  ...users,
  name: 'ring_decisions',
  summary: 'The records that are approved or declined for a ring, newest decision first',
  method: 'GET',
  path: '/rings/{id}/decisions',
  params: IdParams,
  reply: z.object({ objList: z.array(RingDecision), totalCount: z.number().int() }),
});

export const decideEndpoint = defineEndpoint({
  ...approvers,
  name: 'decide_for_ring',
  summary:
    'Approve or decline the records of a name for the clients of a ring. Replaces what was decided about the name',
  method: 'POST',
  path: '/rings/{id}/decisions',
  params: IdParams,
  body: z.strictObject(content),
  reply: RingDecision,
  status: 201,
});

export const takeBackDecisionEndpoint = defineEndpoint({
  ...approvers,
  name: 'take_back_ring_decision',
  summary:
    'Take a decision back: the clients of the ring get the records as its checkpoint has them',
  method: 'DELETE',
  path: '/rings/decisions/{id}',
  params: IdParams,
  reply: z.object({}),
});
