/**
 * Ranks the updates to patch first by the order `patchFirst` of All patches. Updates to install on machines come before the others:
 * what another one closes on every machine that misses it is no work of its own.
 */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import { patchFirst } from '@patch/catalogue/records/all-patches-list.ts';
import { readUpdateFacts } from '@patch/catalogue/records/update-facts.ts';
import type { OwnProducts } from '@patch/contract/base/product-choice.ts';
import { rowSchema, type WireRow } from '@patch/contract/base/row-schema.ts';
import type { When } from '@patch/contract/dates/relative-date.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import type {
  Figure,
  PatchFirst,
  RankedUpdate,
} from '@patch/contract/reports/dashboard-endpoint.ts';
import { z } from 'zod';
import type { Database } from '../../platform/database/database.ts';
import type { Sight } from '../../platform/http/sight.ts';
import { readDetail } from '../../records/details/detail-store.ts';
import { RowsAnswer, rowsSql, runStatement } from '../../records/search/search-sql.ts';
import type { SearchStore } from '../../records/search/search-store.ts';
import { createCriteriaSearch } from '../../records/search/update-counts.ts';
import { type MissedUpdate, readExploitedCves, readMissedUpdates } from './dashboard-store.ts';

const allPatches = getList('all_patches');
const Rows = z.array(rowSchema(allPatches));
const updatesShown = 10;

const notSuperseded: FieldCriterion = {
  paramName: 'superseded',
  operator: 'not_equal',
  value: true,
};

interface RankingParts {
  readonly database: Database;
  readonly store: SearchStore;
}

/** @param own - null: the ranking is for all products */
export async function rankUpdates(
  { database, store }: RankingParts,
  own: OwnProducts | null,
  when: When,
  { groups }: Sight,
): Promise<PatchFirst> {
  const names = own?.names ?? [];
  const ofProducts = (operator: 'in' | 'not_in'): FieldCriterion[] => [
    notSuperseded,
    ...(names.length === 0
      ? []
      : [{ paramName: 'release', operator, value: [...names] } satisfies FieldCriterion]),
  ];
  // What is replaced for these products is no work for them, though it be current for another.
  const current: FieldCriterion[] =
    names.length === 0
      ? []
      : [{ paramName: 'supersededFor', operator: 'not_in', value: [...names] }];
  const criteria = [...ofProducts('in'), ...current];
  const search = createCriteriaSearch(allPatches, criteria, when, {
    size: updatesShown,
    sort: patchFirst,
  });
  // The updates to install are those of all machines together.
  const missed =
    groups === null ? await readMissedUpdates(database, search.sort, updatesShown) : [];
  const machines = await countMachines(store, missed, when);
  const missedById = new Map(missed.map((update) => [update.id, update]));
  const found = await store.find(search);
  const missedRows = await readRows(
    database,
    search,
    missed.map(({ id }) => id),
  );
  const rows = [
    ...missed.flatMap(({ id }) => missedRows.find((row) => row.id === id) ?? []),
    ...Rows.parse(JSON.parse(`[${found.rows}]`)).filter(({ id }) => !missedById.has(id)),
  ].slice(0, updatesShown);
  const exploited = await readExploitedCves(database, rows.flatMap(getFoldedCves));
  const updates = await Promise.all(
    rows.map(async (row): Promise<RankedUpdate> => {
      const list = getList(String(row['list']) as ListKey);
      const detail = await readDetail(database, list, Number(row['recordId']), null);
      const update = missedById.get(row.id);
      return {
        row,
        machines: machines.get(row.id) ?? null,
        closes: [...(update?.closes ?? [])],
        closesExploited: update?.closesExploited ?? 0,
        ...sumExploited(getFoldedCves(row), exploited),
        ...readUpdateFacts(list, detail ?? {}),
      };
    }),
  );
  return {
    own,
    figure: toFigure(criteria, found.total),
    others: names.length === 0 ? null : await countUpdates(store, ofProducts('not_in'), when),
    updates,
    backlog: await countBacklog(store, when),
  };
}

async function readRows(
  database: Database,
  search: ReturnType<typeof createCriteriaSearch>,
  ids: readonly number[],
): Promise<readonly WireRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await runStatement(database, RowsAnswer, rowsSql(search, ids));
  return Rows.parse(JSON.parse(`[${rows ?? ''}]`));
}

/** Returns the machines of each update, by the search that lists them. Ids are those of All patches. */
async function countMachines(
  store: SearchStore,
  missed: readonly MissedUpdate[],
  when: When,
): Promise<ReadonlyMap<number, Figure>> {
  const figures = new Map<number, Figure>();
  for (const { id, missed: records } of missed) {
    const criteria: FieldCriterion[] = [
      { paramName: 'misses', operator: 'in', value: [...records] },
    ];
    const search = createCriteriaSearch(machineList, criteria, when, { size: 1 });
    const { total } = await store.find(search);
    figures.set(id, { ...toFigure(criteria, total), list: machineList.key });
  }
  return figures;
}

/** Counts what is still to patch, whatever the last days brought. */
async function countBacklog(store: SearchStore, when: When): Promise<PatchFirst['backlog']> {
  const count = (criterion: FieldCriterion) =>
    countUpdates(store, [criterion, notSuperseded], when);
  return {
    exploited: await count({ paramName: 'exploited', operator: 'equal', value: true }),
    critical: await count({ paramName: 'ratedSeverity', operator: 'equal', value: 'Critical' }),
  };
}

async function countUpdates(
  store: SearchStore,
  criteria: FieldCriterion[],
  when: When,
): Promise<Figure> {
  const { total } = await store.find(createCriteriaSearch(allPatches, criteria, when, { size: 1 }));
  return toFigure(criteria, total);
}

/** Counts the exploited ones of a record's CVEs, and finds when the last of them became known. */
function sumExploited(
  cves: readonly string[],
  exploited: ReadonlyMap<string, number>,
): Pick<RankedUpdate, 'exploitedCves' | 'exploitedSince'> {
  const days = cves.flatMap((cve) => exploited.get(cve) ?? []);
  return {
    exploitedCves: days.length,
    exploitedSince: days.length === 0 ? null : Math.max(...days),
  };
}

const toFigure = (criteria: FieldCriterion[], total: number): Figure => ({
  list: allPatches.key,
  criteria,
  totalCount: total,
  updateCount: total,
});

function getFoldedCves(row: WireRow): readonly string[] {
  const cves = row['cve'];
  return Array.isArray(cves) ? cves.map((cve) => fold(String(cve))) : [];
}
