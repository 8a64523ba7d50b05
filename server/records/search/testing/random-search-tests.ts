/** Compares random searches and their summaries with a plain evaluation over rows in memory. */
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { orderFunction } from '@patch/catalogue/definition/natural-order.ts';
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import { SearchSummary } from '@patch/contract/records/search-summary-endpoint.ts';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../../platform/database/database.ts';
import { unlimitedSight } from '../../../platform/http/sight.ts';
import { describeWithDatabase } from '../../../testing/databases.ts';
import { buildOddCatalogue, pick, seededRandom } from '../../../testing/odd-catalogue.ts';
import {
  getAllPatchesWords,
  toPlainRisk,
  toPlainRows,
  writeOddCatalogue,
} from '../../../testing/odd-catalogue-rows.ts';
import { plainRecords } from '../../../testing/plain-records.ts';
import { conditionText, foldText, type PlainRow } from '../../../testing/plain-search.ts';
import { type RandomSearch, randomSearch } from '../../../testing/random-search.ts';
import { readSearch } from '../../criteria/search-request.ts';
import { ListMemories } from '../../memory/list-memories.ts';
import { canRunInMemory } from '../../memory/memory-search.ts';
import { readSummary } from '../../summary/summary-request.ts';
import { SummaryService } from '../../summary/summary-service.ts';
import { SearchStore } from '../search-store.ts';
import { buildSearchService } from './build-search-service.ts';
import { expectedRows, getDefinition, type Searched } from './expected-rows.ts';
import { wrongGroups } from './wrong-groups.ts';
import { findDateField, wrongBuckets, wrongFacets } from './wrong-summary.ts';

const seed = Number(process.env['SEARCHES_SEED'] ?? 20_261_123);
/** Every twentieth search also requests a summary. */
const summaryEvery = 20;

const keys = [
  'all_patches',
  'all_patches',
  'all_patches',
  'vulnerabilities',
  'vulnerabilities',
  'almalinux_patch',
  'almalinux_patch',
  'debian_patch',
  'thirdparty_patch',
  'patch_repository',
  'kb_repository',
] as const satisfies readonly ListKey[];
type SearchedKey = (typeof keys)[number];

/** Registers the test of `count` searches, alternately in memory and in PostgreSQL. */
export const testRandomSearches = (count: number) =>
  describeWithDatabase('random searches', (open) => {
    let database: Database;
    const searched = new Map<SearchedKey, Searched>();

    beforeAll(async () => {
      database = await open();
      const catalogue = buildOddCatalogue(seededRandom(seed));
      const sources = await writeOddCatalogue(database, catalogue);
      const risk = toPlainRisk(catalogue);
      for (const key of new Set(keys)) {
        const list = getList(key);
        const names = ['id', ...Object.keys(list.fields)];
        const fields = Object.fromEntries(
          names.map((name) => {
            const definition = getField(list, name);
            const choices = (definition.choices ?? []).map(String);
            return [name, { kind: definition.kind, choices, order: orderFunction(definition) }];
          }),
        );
        const rows =
          list.viewOf === undefined
            ? toPlainRows(list, sources, risk)
            : await shownRows(list, getAllPatchesWords(sources, risk));
        searched.set(key, { list, fields, rows });
      }
      // Checks that the rows of the view of all patches equal the rows of the lists.
      const shown = new Map(
        searched.get('all_patches')?.rows.map(({ values }) => [getRecordKey(values), values]),
      );
      const wrong = plainRecords(sources, risk).filter((record) =>
        Object.entries(record).some(
          ([name, value]) =>
            comparable(shown.get(getRecordKey(record as never))?.[name]) !== comparable(value),
        ),
      );
      if (wrong.length > 0 || shown.size !== sources.length)
        throw new Error(`All patches is wrong: ${JSON.stringify(wrong.slice(0, 2))}`);
    });

    /** Reads all rows of a view from the database. */
    async function shownRows(
      list: ListDefinition,
      words: ReadonlyMap<string, readonly string[]>,
    ): Promise<readonly PlainRow[]> {
      const query = { offset: 0, size: 10_000, sort: 'id' };
      const { rows } = await new SearchStore(database).find(
        readSearch(list, query, list.key === 'all_patches' ? { includeFolded: true } : {}),
      );
      const found = z.array(z.looseObject({ id: z.number() })).parse(JSON.parse(`[${rows}]`));
      return found.map(({ id, ...values }) => ({
        id,
        values,
        words: words.get(getRecordKey(values)) ?? wordsOfVulnerability(values),
      }));
    }

    test(`find the same rows as a plain evaluation (SEARCHES_SEED=${seed})`, {
      timeout: 1_200_000,
    }, async () => {
      const random = seededRandom(seed + 1);
      const memories = new ListMemories(database);
      const { ask, inMemory } = searcher(database, memories);
      const summarize = summarizer(database, memories);
      let found = 0;
      let summarized = 0;
      const complaints: unknown[] = [];
      for (let n = 0; n < count && complaints.length === 0; n += 1) {
        const target = searched.get(pick(random, keys)) as Searched;
        const search = randomSearch(random, target.list, target.fields, target.rows);
        const expected = expectedRows(target, search);
        const offset = random() < 0.6 ? 0 : Math.floor(random() * (expected.length + 5));
        const page = { offset, size: pick(random, [1, 5, 25, 100]) };
        const wrong = await ask(n, target, search, expected, page);
        if (n % summaryEvery === 0) {
          wrong.push(...(await summarize(target, search, expected)));
          summarized += 1;
        }
        if (wrong.length > 0)
          complaints.push(
            `search ${n} of seed ${seed}: ${target.list.key}`,
            search,
            page,
            ...wrong,
          );
        found += Math.min(1, expected.length);
      }
      expect(complaints).toEqual([]);
      // At least a fifth of the searches must have run in memory.
      expect(inMemory()).toBeGreaterThan(count / 5);
      expect(summarized).toBe(count / summaryEvery);
      // At least a third of the searches must have results.
      expect(found).toBeGreaterThan(count / 3);
    });
  });

interface PageRequest {
  readonly offset: number;
  readonly size: number;
}

function createBody({ fields }: Searched, { conditions, keyword, includeFolded }: RandomSearch) {
  const filter = conditions
    .map((condition) => conditionText(condition, getDefinition(fields, condition.field)))
    .join(' and ');
  return { filter, keyword, ...(includeFolded && { includeFolded: true }) };
}

/** Returns a function that finds a page, alternately in memory and in PostgreSQL, and returns its errors. */
function searcher(database: Database, memories: ListMemories) {
  const fromMemory = new SearchStore(database, { memories });
  const fromDatabase = new SearchStore(database);
  let inMemory = 0;
  const ask = async (
    n: number,
    target: Searched,
    randomized: RandomSearch,
    expected: readonly PlainRow[],
    { offset, size }: PageRequest,
  ): Promise<unknown[]> => {
    const sort = randomized.sort.map(
      ({ field, descending, onlyIf }) =>
        `${descending ? '-' : ''}${field}${onlyIf === undefined ? '' : ` if ${onlyIf}`}`,
    );
    const query = { offset, size, ...(sort.length > 0 && { sort: sort.join(',') }) };
    const search = readSearch(target.list, query, createBody(target, randomized));
    const usesMemory = n % 2 === 0;
    if (usesMemory) await fromMemory.readIntoMemory(search);
    if (usesMemory && canRunInMemory(memories, search)) inMemory += 1;
    const { rows, total } = await (usesMemory ? fromMemory : fromDatabase).find(search);
    const ids = (JSON.parse(`[${rows}]`) as { id: number }[]).map(({ id }) => id);
    const plain = expected.slice(offset, offset + size).map(({ id }) => id);
    // An export has the rows in the order of the list.
    const exported = await (usesMemory ? fromMemory : fromDatabase).findIds(search);
    if (exported.join() !== expected.map(({ id }) => id).join())
      return [createBody(target, randomized), 'the order of the export'];
    if (target.list.countedBy !== undefined) {
      const groups = await (usesMemory ? fromMemory : fromDatabase).findGroups(search);
      const wrong = wrongGroups(target, groups, expected, search);
      if (wrong.length > 0) return [createBody(target, randomized), ...wrong];
    }
    return total === expected.length && ids.join() === plain.join()
      ? []
      : [createBody(target, randomized), { total, ids }, { total: expected.length, ids: plain }];
  };
  return { ask, inMemory: () => inMemory };
}

/** Returns a function that requests all facets and the histogram of a search, and returns their errors. */
function summarizer(database: Database, memories: ListMemories) {
  const searchService = buildSearchService(database, { memories });
  const summaries = new SummaryService({ searchService, memories });
  const caller = { user: 'tester', signal: new AbortController().signal };
  return async (
    target: Searched,
    search: RandomSearch,
    expected: readonly PlainRow[],
  ): Promise<unknown[]> => {
    const date = findDateField(target.list);
    const histogram = date === undefined ? null : { field: date, timeZone: 'UTC' };
    const request = readSummary(
      target.list,
      { ...createBody(target, search), histogram },
      unlimitedSight,
    );
    const reply = SearchSummary.parse(JSON.parse(await summaries.summary(caller, request)));
    const wrong = [
      ...wrongFacets(target, search, reply),
      ...(date === undefined ? [] : wrongBuckets(expected, target.list, reply)),
      ...(reply.totalCount === expected.length ? [] : ['totalCount']),
    ];
    return wrong.length === 0 ? [] : [createBody(target, search), ...wrong];
  };
}

const getRecordKey = (values: PlainRow['values']) =>
  `${String(values['list'])} ${String(values['recordId'])}`;

function wordsOfVulnerability(values: PlainRow['values']): readonly string[] {
  const names = [
    'cve',
    'title',
    'cvssVector',
    'cvssSource',
    'severity',
    'ssvc',
    'vendors',
    'vendorDays',
  ];
  return names.flatMap((name) => {
    const value = values[name] ?? [];
    return (Array.isArray(value) ? value : [value]).map((each) => foldText(String(each)));
  });
}

/** Returns a text for comparison. Sorts arrays, because the values of all patches are unordered. */
function comparable(value: unknown): string {
  if (!Array.isArray(value)) return JSON.stringify(value ?? null);
  return value.length === 0
    ? 'null'
    : JSON.stringify(value.map(String).toSorted((a, b) => (a < b ? -1 : 1)));
}
