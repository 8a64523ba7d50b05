/** What the machines of licensed clients miss, seen from the machine, from the record and from the client. */
import { z } from 'zod';
import { MissingRecord } from './assessment-endpoint.ts';
import { RecordId } from './detail-endpoint.ts';
import { defineEndpoint } from './endpoint.ts';
import { noBody, noQuery } from './no-input.ts';
import { wholeNumberText } from './whole-number-text.ts';

const tag = 'Machines';
const when = z.number().int().min(0).max(8_640_000_000_000_000).describe('Epoch milliseconds');

const page = z.strictObject({
  offset: wholeNumberText.pipe(z.number().max(10_000_000)).default(0),
  size: wholeNumberText.pipe(z.number().min(1).max(1000)).default(100),
});

/** An administrator accepts that a record is missing, until a date. */
export const AcceptedMissing = z.object({
  exceptionId: z.number().int(),
  until: when,
  reason: z.string(),
  by: z.string(),
  forClient: z.boolean().describe('For all machines of the client'),
});
export type AcceptedMissing = z.infer<typeof AcceptedMissing>;

export const MachineMissingRecord = MissingRecord.omit({ supersededBy: true }).extend({
  accepted: AcceptedMissing.nullable(),
});
export type MachineMissingRecord = z.infer<typeof MachineMissingRecord>;

export const machineMissingEndpoint = defineEndpoint({
  name: 'machine_missing',
  summary:
    'What a machine misses, as last judged: known exploited records first, then by severity; accepted ones last',
  tag,
  method: 'GET',
  path: '/machines/{id}/missing',
  access: 'standard',
  scope: 'read',
  params: RecordId,
  query: page,
  body: noBody,
  reply: z.object({
    objList: z.array(MachineMissingRecord),
    totalCount: z.number().int(),
    judgedOn: when.nullable().describe('Null: the machine has not been judged yet'),
    notJudged: z.boolean().describe('The catalogue has no records of its release'),
  }),
});

export const MachineOfRecord = z.object({
  id: z.number().int(),
  name: z.string().nullable(),
  machineKey: z.string().nullable(),
  clientId: z.number().int(),
  client: z.string().nullable(),
  platform: z.string().nullable(),
  release: z.string().nullable(),
  lastSeen: when,
  state: MissingRecord.shape.state,
  accepted: z.boolean(),
});
export type MachineOfRecord = z.infer<typeof MachineOfRecord>;

export const recordMachinesEndpoint = defineEndpoint({
  name: 'record_machines',
  summary: 'The machines that miss a record, ordered by client and number',
  tag,
  method: 'GET',
  path: '/records/{list}/{recordId}/machines',
  access: 'standard',
  scope: 'read',
  params: z.object({ list: z.string().max(100), recordId: wholeNumberText }),
  query: page,
  body: noBody,
  reply: z.object({
    objList: z.array(MachineOfRecord),
    totalCount: z.number().int().describe('Machines that miss it certainly, or may miss it'),
    missing: z.number().int().describe('Machines that certainly miss it'),
  }),
});

export const removeMachineEndpoint = defineEndpoint({
  name: 'remove_machine',
  summary: 'Delete a machine with its inventory; the client may report it again',
  tag,
  method: 'DELETE',
  path: '/machines/{id}',
  access: 'admin',
  scope: 'clients',
  params: RecordId,
  query: noQuery,
  body: noBody,
  reply: z.object({}),
});
