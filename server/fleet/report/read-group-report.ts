/** Assembles the report of a group and a period from what is concluded elsewhere. */
import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import {
  endingDays,
  type GroupReport,
  maxEndingExceptions,
  silentDays,
} from '@patch/contract/reports/group-report-endpoint.ts';
import {
  freshnessText,
  getFreshness,
  isConcern,
} from '@patch/contract/sources/source-freshness.ts';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { type Sight, unlimitedSight } from '../../platform/http/sight.ts';
import type { SearchStore } from '../../records/search/search-store.ts';
import { UpdateCounts } from '../../records/search/update-counts.ts';
import { readPatchedBands, readPatchedSince } from '../counts/patched-record-store.ts';
import { readExceptionPage } from '../exceptions/listed-exception-store.ts';
import { findMachinesOfGroup, requireGroupByName } from '../groups/machines-of-group.ts';
import { dayMs, readKeptDays, toDay } from '../history/fleet-day-store.ts';

export interface GroupReportParts {
  readonly database: Database;
  readonly store: SearchStore;
  readonly states: () => Promise<readonly SourceState[]>;
  readonly now: number;
}

/**
 * @param named The name or #number of a group; undefined: all machines.
 * @throws AppError `no_such_group`, `invalid_input`, `unaskable_criteria`
 */
export async function readGroupReport(
  parts: GroupReportParts,
  named: string | undefined,
  days: number,
  sight: Sight = unlimitedSight,
): Promise<GroupReport> {
  const { database, store, now } = parts;
  const group = named === undefined ? null : await requireGroupByName(database, named, sight);
  if (group === null && sight.groups !== null)
    throw new AppError(
      'invalid_input',
      'group must be one of your groups: days are counted by group.',
    );
  const findIds: SearchStore['findIds'] = (search) => store.findIds(search);
  const within =
    group === null ? null : new Set(await findMachinesOfGroup(database, findIds, group, now));
  const from = toDay(now) - (days - 1) * dayMs;
  const ending = await readExceptionPage(
    database,
    { endsWithin: endingDays, machines: within === null ? undefined : [...within] },
    { sight, now, offset: 0, size: maxEndingExceptions },
  );
  return {
    group: group === null ? null : { id: group.id, name: group.name, criteria: group.criteria },
    days,
    from,
    countedAt: now,
    ...(await countMachines(parts, group?.name ?? null)),
    // Days of former criteria are of machines that may not exist for the caller.
    curve: (await readKeptDays(database, group, from)).filter(
      ({ present }) => present || sight.groups === null,
    ),
    patchedSince: await readPatchedSince(database),
    patched: [...(await readPatchedBands(database, within, from))],
    exceptionsUntil: now + endingDays * dayMs,
    exceptionCount: ending.totalCount,
    exceptions: ending.objList,
    ...(await readConcerns(parts)),
  };
}

const atLeastOne = (paramName: string): FieldCriterion => ({
  paramName,
  operator: 'greater_than',
  value: 0,
});
const none = (paramName: string): FieldCriterion => ({ paramName, operator: 'equal', value: 0 });

/** Each number is the total of the search with its criteria. */
async function countMachines({ database, store, now }: GroupReportParts, group: string | null) {
  const counts = new UpdateCounts(database, store);
  const silentSince = now - silentDays * dayMs;
  const isInGroup: readonly FieldCriterion[] =
    group === null ? [] : [{ paramName: 'group', operator: 'equal', value: group }];
  const count = (...criteria: readonly FieldCriterion[]) =>
    counts.countFigure(machineList, [...isInGroup, ...criteria], { now, timeZone: 'UTC' });
  return {
    machines: await count(),
    machinesMissing: await count(atLeastOne('missing')),
    machinesExploited: await count(atLeastOne('missingExploited')),
    machinesCritical: await count(atLeastOne('missingCritical')),
    machinesOverdue: await count({ paramName: 'overdue', operator: 'is_not_null' }),
    machinesAccepted: await count(atLeastOne('accepted')),
    machinesMayMiss: await count(none('missing'), {
      paramName: 'mayMiss',
      operator: 'is_not_null',
    }),
    missingNothing: await count(
      ...['missing', 'uncertain', 'needsSubscription', 'accepted'].map(none),
      { paramName: 'notJudged', operator: 'equal', value: false },
      { paramName: 'lastSeen', operator: 'greater_than_or_equal', value: silentSince },
    ),
    notJudged: await count({ paramName: 'notJudged', operator: 'equal', value: true }),
    beingJudged: await count({ paramName: 'judgedOn', operator: 'is_null' }),
    silent: await count({ paramName: 'lastSeen', operator: 'less_than', value: silentSince }),
  };
}

async function readConcerns({ states, now }: GroupReportParts) {
  const followed = (await states()).filter(({ available, enabled }) => available && enabled);
  return {
    followedSources: followed.length,
    sources: followed.flatMap((state) => {
      const freshness = getFreshness(state, now);
      if (!isConcern(freshness)) return [];
      const { source, label } = state;
      return [{ source, label, freshness, words: freshnessText(state, now) }];
    }),
  };
}
