/** Evaluates the criteria about missing records: which machines miss a record, and which records are missing on a machine. */
import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import { allPatchesList } from '@patch/catalogue/records/all-patches-list.ts';
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import type { Queryable } from '../../platform/database/database.ts';
import type { Sight } from '../../platform/http/sight.ts';
import type {
  CriterionEvaluator,
  CriterionEvaluators,
} from '../../records/criteria/computed-criteria.ts';
import { SearchStore } from '../../records/search/search-store.ts';
import { severityCount } from '../counts/counted-parts.ts';
import { readMachinePolicies } from '../due/machine-policies.ts';
import {
  type FindIds,
  findMachinesOfGroups,
  findMachinesOfNumbers,
} from '../groups/machines-of-group.ts';
import { findMachinesByName, findMachinesOfClients } from '../machines/machine-name-store.ts';
import { findRecordsOfMachines, type RatedRecord } from './machine-missing-records-store.ts';
import { findMissedRecords, findMissedRecordsOf } from './missed-record-store.ts';
import {
  isForSubscribers,
  readMachinesOfMissing,
  type Standing,
  toStanding,
} from './missing-marks-store.ts';
import { findOverdueMachines, findOverdueRecords } from './overdue-machines.ts';

type FindMachines = (
  database: Queryable,
  condition: Condition,
  groups: Sight['groups'],
) => Promise<readonly number[]>;
type OfMachines = Readonly<Record<string, CriterionEvaluator>>;

/** Evaluates the criteria on machines that a group may have. */
function machineCriteria(database: Queryable, clock: () => number): OfMachines {
  const machinesOfRecords =
    (standing: Standing, find = findMissedRecords): CriterionEvaluator =>
    async (condition) => {
      const missingIds = await find(database, condition);
      const marks = await readMachinesOfMissing(database, missingIds, clock());
      return marks.machines(standing).map(({ id }) => id);
    };
  return {
    misses: machinesOfRecords('missing'),
    missesOf: machinesOfRecords('missing', findMissedRecordsOf),
    mayMiss: machinesOfRecords('uncertain'),
    accepts: machinesOfRecords('accepted'),
  };
}

function finderOf(database: Queryable, ofMachines: OfMachines): FindIds {
  const machines = new SearchStore(database, {
    evaluators: new Map([[machineList.key, ofMachines]]),
  });
  return (search) => machines.findIds(search);
}

/** Returns what finds the machines of groups. */
export const machineFinder = (database: Queryable, clock: () => number): FindIds =>
  finderOf(database, machineCriteria(database, clock));

export function missingCriteria(
  database: Queryable,
  clock: () => number = Date.now,
): CriterionEvaluators {
  const keepSeen = async (ids: readonly number[], groups: Sight['groups']) => {
    if (groups === null) return ids;
    const seen = new Set(await findMachinesOfNumbers(database, findIds, groups, clock()));
    return ids.filter((id) => seen.has(id));
  };
  const recordsOfMachines =
    (
      isWanted: (mark: number) => boolean,
      find: FindMachines = findMachinesByName,
      isRated?: (record: RatedRecord) => boolean,
    ): CriterionEvaluator =>
    async (condition, groups) => {
      const ids = await keepSeen(await find(database, condition, groups), groups);
      return findRecordsOfMachines(database, ids, { isWanted, isRated, now: clock() });
    };
  const isStanding = (standing: Standing) => (mark: number) => toStanding(mark) === standing;
  const rated = (isRated: (record: RatedRecord) => boolean) =>
    recordsOfMachines(isStanding('missing'), findMachinesByName, isRated);
  const ofSeverity = (counted: ReturnType<typeof severityCount>) =>
    rated(({ severity }) => severityCount(severity) === counted);
  const ofMachines = machineCriteria(database, clock);
  const findIds = finderOf(database, ofMachines);
  const ofGroups: CriterionEvaluator = (condition, groups) =>
    findMachinesOfGroups(database, findIds, condition, { groups, now: clock() });
  const overdue: CriterionEvaluator = async (condition) => {
    const now = clock();
    const missingIds = await findMissedRecords(database, condition);
    const policies = await readMachinePolicies(database, findIds, now);
    return [...(await findOverdueMachines(database, policies, missingIds, now))];
  };
  const overdueOn: CriterionEvaluator = async (condition, groups) => {
    const now = clock();
    const ids = await keepSeen(await findMachinesByName(database, condition), groups);
    const policies = await readMachinePolicies(database, findIds, now);
    return findOverdueRecords(database, policies, ids, now);
  };
  return new Map<string, Readonly<Record<string, CriterionEvaluator>>>([
    [machineList.key, { ...ofMachines, group: ofGroups, overdue }],
    [
      allPatchesList.key,
      {
        missingOn: recordsOfMachines(isStanding('missing')),
        criticalOn: ofSeverity('critical'),
        importantOn: ofSeverity('important'),
        moderateOn: ofSeverity('moderate'),
        lowOn: ofSeverity('low'),
        unspecifiedOn: ofSeverity('unspecified'),
        exploitedOn: rated(({ exploited }) => exploited),
        overdueOn,
        mayBeMissingOn: recordsOfMachines(isStanding('uncertain')),
        needsSubscriptionOn: recordsOfMachines(isForSubscribers),
        acceptedOn: recordsOfMachines(isStanding('accepted')),
        missingIn: recordsOfMachines(isStanding('missing'), (_, condition, groups) =>
          ofGroups(condition, groups),
        ),
        missingAt: recordsOfMachines(isStanding('missing'), findMachinesOfClients),
      },
    ],
  ]);
}
