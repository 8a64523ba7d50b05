/** Replies of a service whose clients report no machines. Records and the dashboard request them on every screen. */
import { exceptionsEndpoint } from '@patch/contract/fleet/exception-endpoints.ts';
import {
  clientMachinesEndpoint,
  fleetSummaryEndpoint,
  type MachineExposure,
  machineExposureEndpoint,
  recordMachinesEndpoint,
} from '@patch/contract/fleet/machine-endpoints.ts';
import { recordNotesEndpoint } from '@patch/contract/records/note-endpoints.ts';
import { reply } from './fake-api.ts';

export const noCounts = {
  machines: 0,
  machinesMissing: 0,
  machinesExploited: 0,
  notJudged: 0,
  beingJudged: 0,
  beingJudgedSince: null,
  missing: 0,
  missingCritical: 0,
  missingImportant: 0,
  missingExploited: 0,
};

/** What is known of no machine about a record. Machines that are not given are in no number. */
export const noExposure: MachineExposure = {
  machines: 0,
  missing: 0,
  overdue: 0,
  uncertain: 0,
  accepted: 0,
  notMissing: 0,
  notCompared: 0,
  notJudged: 0,
  beingJudged: 0,
};

const noExceptions = reply(exceptionsEndpoint, {
  objList: [],
  totalCount: 0,
  counts: { accepted: 0, not_applicable: 0, waiting: 0, endSoon: 0 },
});

const noNotes = reply(recordNotesEndpoint, {
  objList: [],
  totalCount: 0,
  assignee: null,
  machineAssignee: null,
});

export const noMachines = [
  reply(recordMachinesEndpoint, { ...noExposure, objList: [], totalCount: 0, misses: '' }),
  reply(machineExposureEndpoint, noExposure),
  reply(clientMachinesEndpoint, { ...noCounts, accepted: 0, lastSeen: null }),
  noExceptions,
  noNotes,
  reply(fleetSummaryEndpoint, {
    ...noCounts,
    machinesOverdue: 0,
    talliedOn: null,
    records: [],
    trend: [],
  }),
];
