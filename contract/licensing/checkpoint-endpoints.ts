/** Checkpoints: named moments of the catalogue, and how two of them differ. */
import { z } from 'zod';
import { IdParams, instant, integerText, plainLine } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';

const tag = 'Rings';
const users = { tag, access: 'standard', machines: 'none', scope: 'read' } as const;
const approvers = { tag, access: 'approver', scope: 'clients' } as const;

export const maxCheckpoints = 500;
/** Records of a list that a difference names, for each kind of change. */
export const maxDifferenceRows = 5;

export const Checkpoint = z.object({
  id: z.number().int(),
  name: z.string(),
  createdTime: instant,
  createdBy: z.string(),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

export const checkpointsEndpoint = defineEndpoint({
  ...users,
  name: 'checkpoints',
  summary: 'All checkpoints, newest first',
  method: 'GET',
  path: '/checkpoints',
  reply: z.object({ objList: z.array(Checkpoint), totalCount: z.number().int() }),
});

export const createCheckpointEndpoint = defineEndpoint({
  ...approvers,
  name: 'create_checkpoint',
  summary: 'Create a checkpoint of the catalogue as it is now',
  method: 'POST',
  path: '/checkpoints',
  body: z.strictObject({ name: plainLine(100, 'Size of Name must be at most 100.') }),
  reply: Checkpoint,
  status: 201,
});

export const removeCheckpointEndpoint = defineEndpoint({
  ...approvers,
  name: 'remove_checkpoint',
  summary:
    'Remove a checkpoint, with the former versions of records that it alone needs; 409 `checkpoint_in_use` while a ring is on it',
  method: 'DELETE',
  path: '/checkpoints/{id}',
  params: IdParams,
  reply: z.object({}),
});

const DifferentRecord = z.object({
  id: z.number().int(),
  name: z.string().describe('The first identity of the record, such as its KB or advisory'),
  title: z.string(),
});

const Changes = z.object({
  count: z.number().int(),
  declined: z
    .number()
    .int()
    .describe('How many of them the clients of the ring do not get; 0 without a ring'),
  passing: z
    .number()
    .int()
    .describe('How many of them the clients of the ring get as they are now; 0 without a ring'),
  first: z.array(DifferentRecord).describe(`At most ${maxDifferenceRows}, the newest first`),
});

export const ListDifference = z.object({
  list: z.string(),
  label: z.string(),
  added: Changes.describe('Records that only the second moment lists'),
  changed: Changes,
  withdrawn: Changes.describe('Records that only the first moment lists'),
});
export type ListDifference = z.infer<typeof ListDifference>;

export const checkpointDifferenceEndpoint = defineEndpoint({
  ...users,
  name: 'checkpoint_difference',
  summary: 'How the catalogue differs between two checkpoints, or between one and now',
  method: 'GET',
  path: '/checkpoints/difference',
  query: z.strictObject({
    from: integerText.describe('A checkpoint'),
    to: integerText.optional().describe('A checkpoint, older or newer; absent: now'),
    ring: integerText.optional().describe('The ring that is to move: what is decided for it'),
  }),
  reply: z.object({
    objList: z.array(ListDifference).describe('The lists that differ'),
    totalCount: z.number().int(),
  }),
});
