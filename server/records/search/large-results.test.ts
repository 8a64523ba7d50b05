/** Compares memory with PostgreSQL over more rows than a heap orders and than changes are merged. */
import { getField } from '@patch/catalogue/definition/list-definition.ts';
import { getList } from '@patch/catalogue/lists.ts';
import type { Condition } from '@patch/contract/filter/filter-conditions.ts';
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { recordTable } from '../../platform/database/records/list-views.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { fillWithRows } from '../../testing/many-rows.ts';
import { readSearch } from '../criteria/search-request.ts';
import { ListMemories } from '../memory/list-memories.ts';
import { SearchStore } from './search-store.ts';

const alma = getList('almalinux_patch');
const rows = 20_000;

const filters = [
  'releaseDate between 100 and 15000',
  'releaseDate between 9000 and 9400',
  'releaseDate > 19000 and releaseDate < 19500',
  'releaseDate between 500 and 16000 and severity is not null',
  'releaseDate is not null',
  'severity is not null',
  "lower(title) like '%ever%' and releaseDate >= 4000",
  "lower(bulletinId) = 'few every'",
  "lower(bulletinId) in ('few every', 'absent', 'own7 every')",
  "lower(bulletinId) not in ('half every')",
];
/** Every row whose id is a multiple of the step, as criteria that no row has become. */
const idCriteria = [3, 30].flatMap((step) =>
  [false, true].map(
    (negated): Condition => ({
      kind: 'oneOf',
      negated,
      values: Array.from({ length: rows / step }, (_, at) => step * at),
      name: 'id',
      definition: getField(alma, 'id'),
    }),
  ),
);
const criteria: readonly { readonly filter: string; readonly ids: readonly Condition[] }[] = [
  ...filters.map((filter) => ({ filter, ids: [] })),
  ...idCriteria.map((condition) => ({ filter: 'releaseDate is not null', ids: [condition] })),
];
const pages = [
  { offset: 0, size: 25 },
  { offset: 40, size: 7 },
  { offset: 6_500, size: 10 },
  // Rows without a date come last.
  { offset: 17_000, size: 100 },
];
const sorts = [{}, { sort: 'releaseDate' }, { sort: '-releaseDate' }];

describeWithDatabase('large results', (open) => {
  let database: Database;
  let memories: ListMemories;

  beforeAll(async () => {
    database = await open();
    await fillWithRows(database, alma, rows);
    memories = new ListMemories(database);
  });

  /** Returns the searches that memory answers differently, and whether memory answered any. */
  async function compare() {
    const tiers = new Set<string>();
    const fromMemory = new SearchStore(database, {
      memories,
      onAnswer: ({ tier }) => tiers.add(tier),
    });
    const fromDatabase = new SearchStore(database);
    const different: object[] = [];
    for (const { filter, ids } of criteria)
      for (const sort of sorts)
        for (const page of pages) {
          const read = readSearch(alma, { ...page, ...sort }, { filter });
          const search = { ...read, conditions: [...read.conditions, ...ids] };
          await fromMemory.readIntoMemory(search);
          const found = await fromMemory.find(search);
          const expected = await fromDatabase.find(search);
          if (found.total !== expected.total || found.rows !== expected.rows)
            different.push({ filter, ids: ids.length, ...sort, ...page, found, expected });
        }
    return { different, usesMemory: tiers.has('memory') };
  }

  const same = { different: [], usesMemory: true };

  test('have the same pages in memory as in PostgreSQL', async () => {
    expect(await compare()).toEqual(same);
  }, 60_000);

  test('have the same pages after rows changed and were withdrawn', async () => {
    await database.query(
      `update ${recordTable} set release_date = 20001 - release_date, identifier = 'ours', identifier_folded = 'few every', list_revision = $1
       where id % 400 = 3`,
      [rows + 1],
    );
    const withdrawn = await database.query(
      `update ${alma.key} set withdrawn_time = 1, revision = $1 where id % 500 = 4 returning 1`,
      [rows + 1],
    );
    await database.query(
      'update list_revision set revision = $2, listed = listed - $3 where list = $1',
      [alma.key, rows + 1, withdrawn.rows.length],
    );
    expect(await compare()).toEqual(same);
  }, 60_000);
});
