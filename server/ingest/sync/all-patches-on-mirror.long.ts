/**
 * Syncs all documents of vendors, and compares every record and column of all patches with a plain reading of the lists and the risk
 * sources, and the records found by name with the rows of the lists.
 */
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { catalogueLists, getList } from '@patch/catalogue/lists.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../platform/database/database.ts';
import { jsonObject } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { allWordsSql } from '../../platform/database/rows/list-columns.ts';
import { hasRisk } from '../../platform/database/searched-relation.ts';
import { findRecordsByNames } from '../../records/criteria/records-by-name-store.ts';
import { createSearch } from '../../records/criteria/search-request.ts';
import { SearchStore } from '../../records/search/search-store.ts';
import { CveRelation } from '../../testing/cve-relation.ts';
import { openMigrated } from '../../testing/databases.ts';
import { describeWithMirror } from '../../testing/feed-mirror.ts';
import { callAs } from '../../testing/kb-calls.ts';
import {
  getUpdate,
  type PlainRecord,
  type PlainRisk,
  type PlainSource,
  plainRecords,
} from '../../testing/plain-records.ts';
import { syncMirror } from '../testing/sync-mirror.ts';

const now = Date.UTC(2026, 7, 14);
const allPatches = getList('all_patches');
const vendorLists = catalogueLists.filter(({ source }) => source !== null);
const pageSize = 1000;

const riskColumns = ['exploited', 'epss', 'cvss'] as const;

/** Columns of the lists with a line for each value. */
const severalValues = new Set(['osVersion', 'affectedOs', 'productName', 'cve']);

const camelCase = (column: string) =>
  column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

describeWithMirror('all patches of the feed mirror', (mirror) => {
  const failures: unknown[] = [];
  let database: Database;
  let sources: readonly PlainSource[];
  let keywords: ReadonlyMap<string, string>;
  let shown: readonly (PlainRecord & { readonly id: number })[];

  beforeAll(async () => {
    database = await openMigrated();
    failures.push(...(await syncMirror(database, mirror, now)));
    sources = await listedRecords();
    shown = await everyRow<PlainRecord & { readonly id: number }>(allPatches);
  }, 900_000);
  afterAll(() => database.close());

  async function listedRecords(): Promise<readonly PlainSource[]> {
    const found: PlainSource[] = [];
    const words = new Map<string, string>();
    for (const definition of vendorLists) {
      const list = definition.key;
      const rows = await queryRows(
        database,
        z.looseObject({
          id: z.number(),
          natural_key: z.string(),
          words: z.string(),
          detail: jsonObject.nullable(),
        }),
        `select *, ${allWordsSql(definition)} as words from ${list} where withdrawn_time is null`,
      );
      for (const { id, natural_key: key, words: lines, detail, ...columns } of rows) {
        const row = Object.entries(columns).map(([column, value]) => {
          const name = camelCase(column);
          const isSeveral = severalValues.has(name) && typeof value === 'string';
          return [name, isSeveral ? value.split('\n') : value];
        });
        found.push({ list, id, key, row: Object.fromEntries(row), detail: detail ?? {} });
        words.set(`${list} ${id}`, lines);
      }
    }
    keywords = words;
    return found;
  }

  async function everyRow<Row>(list: ListDefinition): Promise<readonly Row[]> {
    const store = new SearchStore(database);
    const rows: Row[] = [];
    for (let offset = 0; ; offset += pageSize) {
      const query = { offset, size: pageSize, sort: 'id' };
      const search = createSearch(list, query, { conditions: [], includeFolded: true });
      const page = await store.find(search);
      rows.push(...(JSON.parse(`[${page.rows}]`) as Row[]));
      if (rows.length >= page.total) return rows;
    }
  }

  async function plainRisk(): Promise<PlainRisk> {
    const figures = async (sql: string) => {
      const rows = await queryRows(
        database,
        z.object({ cve: z.string(), figure: z.number() }),
        sql,
      );
      return new Map(rows.map(({ cve, figure }) => [cve, figure]));
    };
    const exploited = await figures(
      'select cve_folded as cve, exploited_since as figure from vulnerability where exploited_since is not null',
    );
    const ransomware = await figures(
      'select cve_folded as cve, 1 as figure from vulnerability where ransomware',
    );
    const rated = await queryRows(
      database,
      z.object({ cve: z.string(), severity: z.string() }),
      'select cve_folded as cve, severity from vulnerability where severity is not null',
    );
    return {
      epss: await figures('select cve_folded as cve, epss as figure from epss_score'),
      cvss: await figures(
        'select cve_folded as cve, cvss as figure from vulnerability where cvss is not null',
      ),
      rated: new Map(rated.map(({ cve, severity }) => [cve, severity])),
      exploited: new Set(exploited.keys()),
      ransomware: new Set(ransomware.keys()),
      kevIsRead: true,
    };
  }

  test('equals the union of the lists in every record and column', async () => {
    expect(failures).toEqual([]);
    const risk = await plainRisk();
    for (const known of [risk.epss, risk.cvss, risk.exploited])
      expect(known.size).toBeGreaterThan(1000);
    const expected = new Map(
      plainRecords(sources, risk).map((record) => [`${record.list} ${record.recordId}`, record]),
    );
    // The lists do not have the times at which the service added records.
    const columns = Object.keys(allPatches.fields).filter(
      (name) => getField(allPatches, name).stamped === undefined,
    );
    expect(columns.toSorted()).toEqual(Object.keys([...expected.values()][0] ?? {}).toSorted());
    const different = new Map<string, unknown[]>();
    for (const { id: _id, ...row } of shown) {
      const key = `${row.list} ${row.recordId}`;
      const plain = expected.get(key);
      for (const column of columns as (keyof PlainRecord)[])
        if (comparable(row[column]) !== comparable(plain?.[column]))
          different.set(`${row.list}.${column}`, [
            ...(different.get(`${row.list}.${column}`) ?? []),
            [key, row[column], plain?.[column]],
          ]);
      expected.delete(key);
    }
    const report = [...different].map(([column, all]) => [column, all.length, all.slice(0, 3)]);
    expect(report).toEqual([]);
    expect([...expected.keys()]).toEqual([]);
    expect(shown.length).toBe(sources.length);
    for (const { key } of vendorLists)
      expect(sources.filter(({ list }) => list === key).length, key).toBeGreaterThan(0);
  });

  test("shows in each list the risk of the record's own CVEs, even if it represents an update", async () => {
    const risk = await plainRisk();
    const different: unknown[] = [];
    const update = new Map(shown.map((row) => [`${row.list} ${row.recordId}`, row]));
    let compared = 0;
    let lower = 0;
    for (const list of vendorLists.filter(hasRisk)) {
      const names = riskColumns.filter((name) => Object.hasOwn(list.fields, name));
      const plain = new Map(
        sources
          .filter((source) => source.list === list.key)
          // A single source record represents only itself.
          .map((source) => [source.id, plainRecords([source], risk)[0]]),
      );
      const rows = await everyRow<Record<string, unknown>>(list);
      expect(rows.length, list.key).toBe(plain.size);
      for (const row of rows) {
        compared += 1;
        const expected = plain.get(Number(row['id']));
        for (const name of names)
          if ((row[name] ?? null) !== (expected?.[name] ?? null))
            different.push([list.key, row['id'], name, row[name], expected?.[name]]);
        const inAll = update.get(`${list.key} ${String(row['id'])}`);
        if (names.includes('epss') && Number(row['epss']) < Number(inAll?.epss)) lower += 1;
      }
    }
    expect([different.length, different.slice(0, 5)]).toEqual([0, []]);
    expect(compared).toBeGreaterThan(10_000);
    // Some records represent others with a higher score.
    expect(lower).toBeGreaterThan(10);
  });

  test('counts each Windows update once', async () => {
    const updates = new Set(sources.map(getUpdate).filter((update) => update !== null));
    const single = sources.filter((source) => getUpdate(source) === null).length;
    const folded = shown.filter((row) => row.folded).length;
    expect(updates.size).toBeGreaterThan(500);
    expect(folded).toBeGreaterThan(1000);
    const search = createSearch(allPatches, { offset: 0, size: 1 }, { conditions: [] });
    const { total } = await new SearchStore(database).find(search);
    expect(total).toBe(updates.size + single);
    expect(total).toBe(shown.length - folded);
  });

  test('finds records by each of their names', async () => {
    const listsByName = new Map<string, Map<string, number[]>>();
    for (const { list, id, row } of sources) {
      const words = new Set(keywords.get(`${list} ${id}`)?.split('\n'));
      const fields = Object.keys(getList(list).fields);
      // Words of a vocabulary and prose are not names.
      for (const name of fields)
        if (['choice', 'prose'].includes(getField(getList(list), name).kind))
          for (const line of String(row[name]).toLowerCase().split('\n')) words.delete(line);
      for (const word of words) {
        if (word.length > 255) continue;
        const lists = listsByName.get(word) ?? new Map<string, number[]>();
        listsByName.set(word, lists);
        lists.set(list, [...(lists.get(list) ?? []), id]);
      }
    }
    const names = [...listsByName.keys()];
    expect(names.length).toBeGreaterThan(20_000);
    const step = 50;
    const lost: unknown[] = [];
    // Checks every seventh block of names, and the most frequent names.
    const blocks = Array.from({ length: Math.floor(names.length / step / 7) }, (_, n) =>
      names.slice(n * 7 * step, n * 7 * step + step),
    );
    const size = (lists: ReadonlyMap<string, readonly number[]> | undefined) =>
      [...(lists?.values() ?? [])].reduce((sum, ids) => sum + ids.length, 0);
    const common = names
      .toSorted((a, b) => size(listsByName.get(b)) - size(listsByName.get(a)))
      .slice(0, step);
    for (const block of [...blocks, common]) {
      const found = await findRecordsByNames(database, block);
      for (const name of block) {
        if (size(listsByName.get(name)) > 10_000) continue;
        const are = new Map(
          [...found].flatMap(([list, records]) => {
            const ids = [...records].filter(([, own]) => own.has(name)).map(([id]) => id);
            return ids.length === 0 ? [] : [[list, ids] as const];
          }),
        );
        const [is, should] = [are, listsByName.get(name)].map((lists) =>
          JSON.stringify(
            [...(lists ?? [])]
              .map(([list, ids]) => [list, ids.toSorted((a, b) => a - b)] as const)
              .toSorted(([a], [b]) => (a < b ? -1 : 1)),
          ),
        );
        if (is !== should) lost.push([name, is?.slice(0, 200), should?.slice(0, 200)]);
      }
    }
    expect([lost.length, lost.slice(0, 5)]).toEqual([0, []]);
  });

  test('names in every list and format the CVEs whose pages name the record', async () => {
    const relation = new CveRelation(await callAs(database));
    await relation.compareAll({ maxCves: 500 });
    expect(relation.differences).toEqual([]);
    for (const output of ['fixes of a CVE', 'All patches', 'CSAF', 'OSV'])
      expect(relation.compared.get(output), output).toBeGreaterThan(1000);
  }, 900_000);
});

/** Returns a text for comparison. Sorts arrays, because values are unordered, and treats an empty array as null. */
function comparable(value: unknown): string {
  if (!Array.isArray(value)) return JSON.stringify(value ?? null);
  return value.length === 0 ? 'null' : JSON.stringify(value.map(String).toSorted());
}
