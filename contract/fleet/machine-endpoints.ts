/** Missing records of licensed clients' machines, by machine, by record and by client. */
import { z } from 'zod';
import { IdParams, instant, integerText, plainLine } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';
import { Assessment, MachineJudgement, MissingRecord } from './assessment-endpoint.ts';
import { AcceptedMissing } from './exception-endpoints.ts';
import { StoredOwner } from './machine-group-endpoints.ts';

const tag = 'Machines';

const page = z.strictObject({
  offset: integerText.pipe(z.number().max(10_000_000)).default(0),
  size: integerText.pipe(z.number().min(1).max(1000)).default(100),
});

export const DueDate = z.object({
  dueDate: instant.nullable().describe('A day, by its midnight in UTC; null: no date follows'),
  overdueDays: z.number().int().describe('Days since then; 0: not overdue'),
  evidence: z.string().describe('released 2026-10-03 + 30 days = due 2026-11-02'),
});
export type DueDate = z.infer<typeof DueDate>;

export const heldBackReasons = ['newer', 'declined'] as const;
export type HeldBackReason = (typeof heldBackReasons)[number];

/** The ring of the licensed client or of the group that reports a machine. */
const RingOfMachine = z.object({
  id: z.number().int(),
  name: z.string(),
  checkpoint: z.string().describe('The name of its checkpoint'),
  newer: z.number().int().describe('Certainly missing records that are newer than the checkpoint'),
  declined: z.number().int().describe('Certainly missing records that are declined for the ring'),
});
export type RingOfMachine = z.infer<typeof RingOfMachine>;

export const MachineMissingRecord = MissingRecord.extend({
  accepted: AcceptedMissing.nullable(),
  due: DueDate.nullable().describe(
    'By the strictest policy of the groups of the machine; an accepted record is not overdue. Null: it is not certain that the record is missing',
  ),
  assignee: StoredOwner.nullable().describe(
    'Who deals with it on this machine, or else on all machines',
  ),
  notes: z.number().int().describe('Notes on it, for this machine and for all'),
  heldBack: z
    .enum(heldBackReasons)
    .nullable()
    .describe(
      'Why the ring of the machine does not have the record, so that commands and plans leave it out: newer than the checkpoint, or declined. Null: it has it, or there is no ring',
    ),
});
export type MachineMissingRecord = z.infer<typeof MachineMissingRecord>;

/** Restricts an answer to the machines of one group. */
const group = plainLine(100)
  .optional()
  .describe('The name or #number of a group; absent: all machines');

const users = { tag, access: 'standard', scope: 'read' } as const;
const admins = { tag, access: 'admin', scope: 'clients' } as const;

export const machineMissingEndpoint = defineEndpoint({
  ...users,
  machines: 'own',
  name: 'machine_missing',
  summary:
    'What a machine misses and what closes it, as POST /assessments says of the same inventory: known exploited records first, then by severity; accepted ones last, which nothing is installed for. In a ring nothing is installed that the ring does not have',
  method: 'GET',
  path: '/machines/{id}/missing',
  params: IdParams,
  query: page,
  reply: z.object({
    objList: z.array(MachineMissingRecord),
    totalCount: z.number().int().describe('With the accepted ones'),
    acceptedCount: z.number().int().describe('The last ones of all'),
    bands: Assessment.shape.bands.describe(
      'Without the accepted records, and without those that the ring does not have',
    ),
    install: Assessment.shape.install.describe('What the ring has; accepted records need nothing'),
    installCommand: Assessment.shape.installCommand,
    judgedOn: instant
      .nullable()
      .describe('When the machine was counted in the list; null: not yet'),
    reportedOn: instant.describe('When the client first reported the machine'),
    missingCount: z.number().int().describe('The certainly missing ones, without accepted ones'),
    overdueCount: z
      .number()
      .int()
      .describe('Those that the criterion overdueOn of POST /records/search finds'),
    notJudged: z
      .boolean()
      .describe('Nothing of its system could be compared: judgement.notJudged says why'),
    ring: RingOfMachine.nullable().describe('Null: neither its client nor its group is in a ring'),
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
  lastSeen: instant,
  state: MissingRecord.shape.state,
  accepted: z.boolean(),
});
export type MachineOfRecord = z.infer<typeof MachineOfRecord>;

/** `missing` and the six numbers after `overdue` are together the first one. */
export const MachineExposure = z.object({
  machines: z.number().int().describe('All machines that report'),
  missing: z.number().int().describe('Machines that certainly miss it'),
  overdue: z
    .number()
    .int()
    .describe('Those of them on which it is overdue, as the criterion overdue finds them'),
  uncertain: z.number().int().describe('Machines that may miss it, or need a subscription for it'),
  accepted: z.number().int().describe('Machines on which it is accepted to be missing'),
  notMissing: z
    .number()
    .int()
    .describe(
      'Machines that were compared with a record of this name and of which none of this holds',
    ),
  notCompared: z
    .number()
    .int()
    .describe(
      'Machines that were judged, while no listed record of this name is compared with machines: nothing says that they do not miss it',
    ),
  notJudged: z.number().int().describe('Other machines, of which nothing could be compared'),
  beingJudged: z.number().int().describe('Other machines, which have never been judged'),
});
export type MachineExposure = z.infer<typeof MachineExposure>;

export const machineExposureEndpoint = defineEndpoint({
  ...users,
  machines: 'own',
  name: 'machine_exposure',
  summary:
    'How many machines miss what a CVE, a KB, an advisory or a record names, and how many do not or cannot be judged',
  method: 'GET',
  path: '/machines/exposure',
  query: z.strictObject({
    misses: plainLine(255).describe('As the criterion misses of POST /machines/search'),
    group,
  }),
  reply: MachineExposure,
});

export const RecordMachines = MachineExposure.extend({
  objList: z.array(MachineOfRecord),
  totalCount: z
    .number()
    .int()
    .describe('Machines that miss it, may miss it or accept that it is missing'),
  misses: z
    .string()
    .describe('The value of the criteria misses, mayMiss and accepts that finds these machines'),
});
export type RecordMachines = z.infer<typeof RecordMachines>;

export const recordMachinesEndpoint = defineEndpoint({
  ...users,
  machines: 'own',
  name: 'record_machines',
  summary: 'The machines that miss a record, ordered by client and number',
  method: 'GET',
  path: '/records/{list}/{recordId}/machines',
  params: z.object({ list: z.string().max(100), recordId: integerText }),
  query: page,
  reply: RecordMachines,
});

export const removeMachineEndpoint = defineEndpoint({
  ...admins,
  name: 'remove_machine',
  summary: 'Remove a machine with its inventory; the client may report it again',
  method: 'DELETE',
  path: '/machines/{id}',
  params: IdParams,
  reply: z.object({}),
});

export const ClientMachines = z.object({
  machines: z.number().int(),
  machinesMissing: z.number().int().describe('Machines that miss something'),
  machinesExploited: z
    .number()
    .int()
    .describe('Machines that miss a record about a known exploited vulnerability'),
  notJudged: z.number().int().describe('Machines of which nothing could be compared'),
  beingJudged: z
    .number()
    .int()
    .describe('Machines that have never been judged; no other number but machines counts them'),
  beingJudgedSince: instant
    .nullable()
    .describe('When the first of these was first reported; null without any'),
  missing: z.number().int().describe('Missing records of all machines together, as the next ones'),
  missingCritical: z.number().int(),
  missingImportant: z.number().int(),
  missingExploited: z.number().int(),
  accepted: z.number().int(),
  lastSeen: instant.nullable(),
});
export type ClientMachines = z.infer<typeof ClientMachines>;

export const clientMachinesEndpoint = defineEndpoint({
  ...admins,
  name: 'client_machines',
  summary: 'What the machines of a client miss together',
  method: 'GET',
  path: '/windows/user/{id}/machines',
  params: IdParams,
  reply: ClientMachines,
});

export const FleetSummary = ClientMachines.omit({ accepted: true, lastSeen: true }).extend({
  machinesOverdue: z.number().int().describe('Machines that miss an overdue record'),
  talliedOn: instant.nullable().describe('When the machines of each record were last counted'),
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
        day: instant,
        machines: z.number().int(),
        machinesMissing: z.number().int(),
        missingCritical: z.number().int(),
        missingExploited: z.number().int(),
      }),
    )
    .describe(
      'At the end of each of the last 30 days; kept of all machines alone, so empty for a group',
    ),
});
export type FleetSummary = z.infer<typeof FleetSummary>;

export const fleetSummaryEndpoint = defineEndpoint({
  ...users,
  machines: 'own',
  name: 'fleet_summary',
  summary: 'What all machines miss together: the records that most miss, and the trend',
  method: 'GET',
  path: '/dashboard/machines',
  query: z.strictObject({ group }),
  reply: FleetSummary,
});
