/** Random searches and their summaries answer what a plain evaluation over rows in memory answers. */
import { randomBytes } from 'node:crypto';
import { fieldOf, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { orderFunction } from '@patch/catalogue/definition/natural-order.ts';
import { type ListKey, listOfKey } from '@patch/catalogue/lists.ts';
import { SearchSummary } from '@patch/contract/search-summary-endpoint.ts';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../../platform/database/database.ts';
import { secretBox } from '../../../platform/secrets/secret-box.ts';
import { describeWithDatabase } from '../../../testing/databases.ts';
import { oddCatalogue, pick, seededRandom } from '../../../testing/odd-catalogue.ts';
import {
  plainRiskOf,
  rowsOfList,
  wordsOfAllPatches,
  writeOddCatalogue,
} from '../../../testing/odd-catalogue-rows.ts';
import { plainRecords } from '../../../testing/plain-records.ts';
import { conditionText, folded, type PlainRow } from '../../../testing/plain-search.ts';
import { type RandomSearch, randomSearch } from '../../../testing/random-search.ts';
import { readSearch } from '../../criteria/search-request.ts';
import { ListMemories } from '../../memory/list-memories.ts';
import { isInMemory } from '../../memory/memory-search.ts';
import { SummaryDesk } from '../../summary/summary-desk.ts';
import { readSummary } from '../../summary/summary-request.ts';
import { SearchDesk } from '../search-desk.ts';
import { SearchStore } from '../search-store.ts';
import { definitionOf, expectedRows, type Searched } from './expected-rows.ts';
import { dateOf, wrongBuckets, wrongFacets } from './wrong-summary.ts';

const seed = Number(process.env['SEARCHES_SEED'] ?? 20_261_123);
/** A summary is asked for with every so many-th search. */
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
] as const satisfies readonly ListKey[];
type SearchedKey = (typeof keys)[number];

/** Asks that many searches, of memory and of PostgreSQL in turn. */
export const testRandomSearches = (count: number) =>
  describeWithDatabase('random searches', (open) => {
    let database: Database;
    const searched = new Map<SearchedKey, Searched>();

    beforeAll(async () => {
      database = await open();
      const catalogue = oddCatalogue(seededRandom(seed));
      const sources = await writeOddCatalogue(database, catalogue);
      const risk = plainRiskOf(catalogue);
      for (const key of new Set(keys)) {
        const list = listOfKey(key);
        const names = ['id', ...Object.keys(list.fields)];
        const fields = Object.fromEntries(
          names.map((name) => {
            const definition = fieldOf(list, name);
            const choices = (definition.choices ?? []).map(String);
            return [name, { kind: definition.kind, choices, order: orderFunction(definition) }];
          }),
        );
        const rows =
          list.viewOf === undefined
            ? rowsOfList(list, sources, risk)
            : await shownRows(list, wordsOfAllPatches(sources, risk));
        searched.set(key, { list, fields, rows });
      }
      // What the plain evaluation goes by is itself the plain reading of the lists.
      const shown = new Map(
        searched.get('all_patches')?.rows.map(({ values }) => [placeOf(values), values]),
      );
      const wrong = plainRecords(sources, risk).filter((record) =>
        Object.entries(record).some(
          ([name, value]) =>
            comparable(shown.get(placeOf(record as never))?.[name]) !== comparable(value),
        ),
      );
      if (wrong.length > 0 || shown.size !== sources.length)
        throw new Error(`All patches is wrong: ${JSON.stringify(wrong.slice(0, 2))}`);
    });

    /** All rows of a view as the database has them. */
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
        words: words.get(placeOf(values)) ?? wordsOfVulnerability(values),
      }));
    }

    test(`answer what a plain evaluation answers (SEARCHES_SEED=${seed})`, {
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
        const one = searched.get(pick(random, keys)) as Searched;
        const asked = randomSearch(random, one.list, one.fields, one.rows);
        const expected = expectedRows(one, asked);
        const offset = random() < 0.6 ? 0 : Math.floor(random() * (expected.length + 5));
        const page = { offset, size: pick(random, [1, 5, 25, 100]) };
        const wrong = await ask(n, one, asked, expected, page);
        if (n % summaryEvery === 0) {
          wrong.push(...(await summarize(one, asked, expected)));
          summarized += 1;
        }
        if (wrong.length > 0)
          complaints.push(`search ${n} of seed ${seed}: ${one.list.key}`, asked, page, ...wrong);
        found += Math.min(1, expected.length);
      }
      expect(complaints).toEqual([]);
      // Many of those that may be answered from memory are.
      expect(inMemory()).toBeGreaterThan(count / 5);
      expect(summarized).toBe(count / summaryEvery);
      // Most of them find something: the evaluation is of more than empty results.
      expect(found).toBeGreaterThan(count / 3);
    });
  });

interface AskedPage {
  readonly offset: number;
  readonly size: number;
}

function bodyOf({ fields }: Searched, { conditions, keyword, includeFolded }: RandomSearch) {
  const filter = conditions
    .map((condition) => conditionText(condition, definitionOf(fields, condition.field)))
    .join(' and ');
  return { filter, keyword, ...(includeFolded && { includeFolded: true }) };
}

/** Asks for a page of memory and of PostgreSQL in turn, and says what is wrong with it. */
function searcher(database: Database, memories: ListMemories) {
  const fromMemory = new SearchStore(database, { memories });
  const fromDatabase = new SearchStore(database);
  let inMemory = 0;
  const ask = async (
    n: number,
    one: Searched,
    asked: RandomSearch,
    expected: readonly PlainRow[],
    { offset, size }: AskedPage,
  ): Promise<unknown[]> => {
    const sort = asked.sort.map(({ field, descending }) => `${descending ? '-' : ''}${field}`);
    const query = { offset, size, ...(sort.length > 0 && { sort: sort.join(',') }) };
    const search = readSearch(one.list, query, bodyOf(one, asked));
    const usesMemory = n % 2 === 0;
    if (usesMemory) await fromMemory.readIntoMemory(search);
    if (usesMemory && isInMemory(memories, search)) inMemory += 1;
    const { rows, total } = await (usesMemory ? fromMemory : fromDatabase).find(search);
    const ids = (JSON.parse(`[${rows}]`) as { id: number }[]).map(({ id }) => id);
    const plain = expected.slice(offset, offset + size).map(({ id }) => id);
    return total === expected.length && ids.join() === plain.join()
      ? []
      : [bodyOf(one, asked), { total, ids }, { total: expected.length, ids: plain }];
  };
  return { ask, inMemory: () => inMemory };
}

/** Asks for all facets and the histogram, and says what is wrong with them. */
function summarizer(database: Database, memories: ListMemories) {
  const desk = new SearchDesk({ database, memories, box: secretBox(randomBytes(32)) });
  const summaries = new SummaryDesk({ desk, memories });
  const caller = { user: 'tester', signal: new AbortController().signal };
  return async (
    one: Searched,
    asked: RandomSearch,
    expected: readonly PlainRow[],
  ): Promise<unknown[]> => {
    const date = dateOf(one.list);
    const histogram = date === undefined ? null : { field: date, timeZone: 'UTC' };
    const request = readSummary(one.list, { ...bodyOf(one, asked), histogram }, false);
    const reply = SearchSummary.parse(JSON.parse(await summaries.summary(caller, request)));
    const wrong = [
      ...wrongFacets(one, asked, reply),
      ...(date === undefined ? [] : wrongBuckets(expected, one.list, reply)),
      ...(reply.totalCount === expected.length ? [] : ['totalCount']),
    ];
    return wrong.length === 0 ? [] : [bodyOf(one, asked), ...wrong];
  };
}

const placeOf = (values: PlainRow['values']) =>
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
    return (Array.isArray(value) ? value : [value]).map((one) => folded(String(one)));
  });
}

/** Several values of All patches have no order. */
function comparable(value: unknown): string {
  if (!Array.isArray(value)) return JSON.stringify(value ?? null);
  return value.length === 0
    ? 'null'
    : JSON.stringify(value.map(String).toSorted((a, b) => (a < b ? -1 : 1)));
}
