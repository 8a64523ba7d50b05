/** Missing records of licensed clients' machines, by machine, by record and by client. */
import { z } from 'zod';
import { Assessment, MachineJudgement, MissingRecord } from './assessment-endpoint.ts';
import { RecordId } from './detail-endpoint.ts';
import { defineEndpoint } from './endpoint.ts';
import { integerText } from './integer-text.ts';
import { noBody, noParams, noQuery } from './no-input.ts';
import { isPlainText, plainTextRule } from './plain-text.ts';

const tag = 'Machines';
const when = z.number().int().min(0).max(8_640_000_000_000_000).describe('Epoch milliseconds');

const page = z.strictObject({
  offset: integerText.pipe(z.number().max(10_000_000)).default(0),
  size: integerText.pipe(z.number().min(1).max(1000)).default(100),
});

/** An administrator's decision that a record may be missing until a date. */
export const AcceptedMissing = z.object({
  exceptionId: z.number().int(),
  until: when,
  reason: z.string(),
  by: z.string(),
  forClient: z.boolean().describe('For all machines of the client'),
});
export type AcceptedMissing = z.infer<typeof AcceptedMissing>;

export const MachineMissingRecord = MissingRecord.extend({
  accepted: AcceptedMissing.nullable(),
});
export type MachineMissingRecord = z.infer<typeof MachineMissingRecord>;

export const machineMissingEndpoint = defineEndpoint({
  name: 'machine_missing',
  summary:
    'What a machine misses and what closes it, as POST /assessments says of the same inventory: known exploited records first, then by severity; accepted ones last, which nothing is installed for',
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
    totalCount: z.number().int().describe('With the accepted ones'),
    acceptedCount: z.number().int().describe('The last ones of all'),
    bands: Assessment.shape.bands,
    install: Assessment.shape.install,
    installCommand: Assessment.shape.installCommand,
    judgedOn: when.nullable().describe('When the machine was counted in the list; null: not yet'),
    reportedOn: when.describe('When the client first reported the machine'),
    missingCount: z.number().int().describe('The certainly missing ones, without accepted ones'),
    notJudged: z.boolean().describe('The catalogue has no records of its release'),
    judgement: MachineJudgement.describe('With the catalogue of now'),
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

export const RecordMachines = z.object({
  objList: z.array(MachineOfRecord),
  totalCount: z.number().int().describe('Machines of the next three numbers together'),
  missing: z.number().int().describe('Machines that certainly miss it'),
  uncertain: z.number().int().describe('Machines that may miss it, or need a subscription for it'),
  accepted: z.number().int().describe('Machines on which it is accepted to be missing'),
  misses: z
    .string()
    .describe('The value of the criteria misses, mayMiss and accepts that finds these machines'),
});
export type RecordMachines = z.infer<typeof RecordMachines>;

export const recordMachinesEndpoint = defineEndpoint({
  name: 'record_machines',
  summary: 'The machines that miss a record, ordered by client and number',
  tag,
  method: 'GET',
  path: '/records/{list}/{recordId}/machines',
  access: 'standard',
  scope: 'read',
  params: z.object({ list: z.string().max(100), recordId: integerText }),
  query: page,
  body: noBody,
  reply: RecordMachines,
});

export const removeMachineEndpoint = defineEndpoint({
  name: 'remove_machine',
  summary: 'Remove a machine with its inventory; the client may report it again',
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

export const acceptMissingEndpoint = defineEndpoint({
  name: 'accept_missing',
  summary:
    'Accept that a record is missing, on one machine or on all machines of its client, until a date; counted apart until then. Replaces an exception for the same',
  tag,
  method: 'POST',
  path: '/machines/{id}/exceptions',
  access: 'admin',
  scope: 'clients',
  params: RecordId,
  query: noQuery,
  body: z.strictObject({
    list: z.string().max(100),
    recordId: z.number().int().min(1),
    until: when,
    reason: z.string().trim().min(1, 'is required').max(500).refine(isPlainText, plainTextRule),
    forClient: z.boolean().default(false),
  }),
  status: 201,
  reply: AcceptedMissing,
});

export const endExceptionEndpoint = defineEndpoint({
  name: 'end_missing_exception',
  summary: 'End an exception before its date: the record counts as missing again',
  tag,
  method: 'DELETE',
  path: '/machines/exceptions/{exceptionId}',
  access: 'admin',
  scope: 'clients',
  params: z.object({ exceptionId: integerText }),
  query: noQuery,
  body: noBody,
  reply: z.object({}),
});

export const ClientException = AcceptedMissing.omit({ forClient: true }).extend({
  list: z.string(),
  recordId: z.number().int(),
  identifier: z.string().nullable().describe('Null: the record is no longer listed'),
  title: z.string().nullable(),
  machineId: z.number().int().nullable().describe('Null: all machines of the client'),
  machine: z.string().nullable(),
});
export type ClientException = z.infer<typeof ClientException>;

export const clientExceptionsEndpoint = defineEndpoint({
  name: 'client_exceptions',
  summary:
    'The missing records that are accepted for a client or one of its machines, those that end first in front',
  tag,
  method: 'GET',
  path: '/windows/user/{id}/exceptions',
  access: 'standard',
  scope: 'read',
  params: RecordId,
  query: page,
  body: noBody,
  reply: z.object({ objList: z.array(ClientException), totalCount: z.number().int() }),
});

export const ClientMachines = z.object({
  machines: z.number().int(),
  machinesMissing: z.number().int().describe('Machines that miss something'),
  machinesExploited: z
    .number()
    .int()
    .describe('Machines that miss a record about a known exploited vulnerability'),
  notJudged: z.number().int().describe('Machines of releases that the catalogue does not have'),
  beingJudged: z
    .number()
    .int()
    .describe('Machines that have never been judged; no other number but machines counts them'),
  beingJudgedSince: when
    .nullable()
    .describe('When the first of these was first reported; null without any'),
  missing: z.number().int().describe('Missing records of all machines together, as the next ones'),
  missingCritical: z.number().int(),
  missingImportant: z.number().int(),
  missingExploited: z.number().int(),
  accepted: z.number().int(),
  lastSeen: when.nullable(),
});
export type ClientMachines = z.infer<typeof ClientMachines>;

export const clientMachinesEndpoint = defineEndpoint({
  name: 'client_machines',
  summary: 'What the machines of a client miss together',
  tag,
  method: 'GET',
  path: '/windows/user/{id}/machines',
  access: 'admin',
  scope: 'clients',
  params: RecordId,
  query: noQuery,
  body: noBody,
  reply: ClientMachines,
});

export const FleetSummary = ClientMachines.omit({ accepted: true, lastSeen: true }).extend({
  talliedOn: when.nullable().describe('When the machines of each record were last counted'),
  records: z
    .array(
      MissingRecord.pick({
        list: true,
        recordId: true,
        identifier: true,
        title: true,
        severity: true,
        exploited: true,
      }).extend({
        machines: z.number().int(),
        misses: RecordMachines.shape.misses,
      }),
    )
    .describe(
      'The ten records that most machines miss, without those that another one closes on each machine',
    ),
  trend: z
    .array(
      z.object({
        day: when,
        machines: z.number().int(),
        machinesMissing: z.number().int(),
        missingCritical: z.number().int(),
        missingExploited: z.number().int(),
      }),
    )
    .describe('At the end of each of the last 30 days'),
});
export type FleetSummary = z.infer<typeof FleetSummary>;

export const fleetSummaryEndpoint = defineEndpoint({
  name: 'fleet_summary',
  summary: 'What all machines miss together: the records that most miss, and the trend',
  tag,
  method: 'GET',
  path: '/dashboard/machines',
  access: 'standard',
  scope: 'read',
  params: noParams,
  query: noQuery,
  body: noBody,
  reply: FleetSummary,
});
