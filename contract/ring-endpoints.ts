/** Rings: licensed clients that get the catalogue as it was at a checkpoint. */
import { z } from 'zod';
import { maxAfterDays } from './checkpoint-rule-endpoints.ts';
import { IdParams, instant, plainLine } from './common-schemas.ts';
import { defineEndpoint } from './endpoint.ts';

const tag = 'Rings';
const users = { tag, access: 'standard', scope: 'read' } as const;
const approvers = { tag, access: 'approver', scope: 'clients' } as const;

export const maxRings = 50;
const maxRingClients = 9_000;

const AfterDays = z
  .number()
  .int()
  .min(0)
  .max(maxAfterDays)
  .describe('How old the checkpoints of the rule must be');

export const Ring = z.object({
  id: z.number().int(),
  name: z.string(),
  checkpoint: z.object({ id: z.number().int(), name: z.string() }),
  promotedTime: instant.describe('When it was moved to its checkpoint'),
  promotedBy: z.string().describe('A user, or the rule that the ring follows'),
  clients: z
    .array(z.object({ id: z.number().int(), name: z.string() }))
    .describe('Licensed clients, by name'),
  follows: z
    .object({ rule: z.object({ id: z.number().int(), name: z.string() }), afterDays: AfterDays })
    .nullable()
    .describe('Null: it is moved by hand alone'),
});
export type Ring = z.infer<typeof Ring>;

const RingName = plainLine(100, 'Size of Name must be at most 100.');
const CheckpointId = z.number().int().min(1);
const ClientIds = z
  .array(z.number().int().min(1))
  .max(maxRingClients)
  .describe('All members. A client is in one ring at most: one of another ring moves to this one');

const Follows = z
  .strictObject({ rule: z.number().int().min(1), afterDays: AfterDays })
  .nullable()
  .describe(
    'The ring moves by itself to the newest checkpoint of the rule that is so old; never back, and never to one that it has left. Null: it is moved by hand alone',
  );

export const ringsEndpoint = defineEndpoint({
  ...users,
  name: 'rings',
  summary: 'All rings with their checkpoints and clients, by name',
  method: 'GET',
  path: '/rings',
  reply: z.object({ objList: z.array(Ring), totalCount: z.number().int() }),
});

export const createRingEndpoint = defineEndpoint({
  ...approvers,
  name: 'create_ring',
  summary: 'Create a ring: its clients get the catalogue as it was at its checkpoint',
  method: 'POST',
  path: '/rings',
  body: z.strictObject({
    name: RingName,
    checkpoint: CheckpointId,
    clients: ClientIds.default([]),
    follows: Follows.default(null),
  }),
  reply: Ring,
  status: 201,
});

export const changeRingEndpoint = defineEndpoint({
  ...approvers,
  name: 'change_ring',
  summary:
    'Move a ring to another checkpoint, older or newer, or change its name, its clients or the rule that it follows; omitted fields stay',
  method: 'PUT',
  path: '/rings/{id}',
  params: IdParams,
  body: z.strictObject({
    name: RingName.optional(),
    checkpoint: CheckpointId.optional(),
    clients: ClientIds.optional(),
    follows: Follows.optional(),
  }),
  reply: Ring,
});

export const removeRingEndpoint = defineEndpoint({
  ...approvers,
  name: 'remove_ring',
  summary: 'Remove a ring; its clients get the catalogue as it is again',
  method: 'DELETE',
  path: '/rings/{id}',
  params: IdParams,
  reply: z.object({}),
});
