/** Compares summaries with counts of the written records. random-searches.test.ts tests conditions and keywords. */
import { getList } from '@patch/catalogue/lists.ts';
import type { SearchSummary } from '@patch/contract/records/search-summary-endpoint.ts';
import type { FastifyInstance } from 'fastify';
import { beforeEach, expect, test } from 'vitest';
import { arrayText } from '../../platform/database/array-text.ts';
import { refreshStaleCves } from '../../platform/database/cves/stale-cve-store.ts';
import type { Database } from '../../platform/database/database.ts';
import { appWithRoutes, callerOf } from '../../testing/app-with-routes.ts';
import { buildKevFacts, writeCveFacts } from '../../testing/cve-factories.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { withdrawRecords, writeRecords } from '../../testing/record-factories.ts';
import { ListMemories } from '../memory/list-memories.ts';
import { searchRoutes } from '../search/search-routes.ts';
import { buildSearchService } from '../search/testing/build-search-service.ts';
import { summaryRoutes } from './summary-service.ts';

const alma = getList('almalinux_patch');
const rocky = getList('rockylinux_patch');
const allPatches = getList('all_patches');
const day = 86_400_000;
const from = Date.UTC(2024, 0, 1);

const severities = ['Critical', 'critical', 'Important', 'Moderate', 'Low', 'Bizarre', null];
const releases = [['8'], ['9'], ['8', '9'], ['10'], []];

const buildRow = (n: number) => ({
  bulletinId: `ALSA-${n}`,
  title: `${n % 3 === 0 ? 'openssl' : 'kernel'} update ${n}`,
  severity: severities[n % severities.length] ?? null,
  category: n % 2 === 0 ? 'security' : 'bugfix',
  osVersion: releases[n % releases.length] ?? [],
  releaseDate: n % 11 === 0 ? null : from + (n % 400) * day,
});
type Row = ReturnType<typeof buildRow>;

const counted = (values: readonly unknown[]) => {
  const counts = new Map<unknown, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};
const asMap = (summary: SearchSummary, field: string) =>
  new Map((summary.facets[field] ?? []).map(({ value, count }) => [value, count]));

/** Returns one spelling for each severity: that of the choices, or the most frequent one. */
const getSeverity = ({ severity }: Row) => (severity === 'critical' ? 'Critical' : severity);

describeWithDatabase('search summary', (open) => {
  let database: Database;
  let app: FastifyInstance;
  let rows: Map<string, Row>;

  beforeEach(async () => {
    database = await open();
    rows = new Map(Array.from({ length: 300 }, (_, n) => [`a${n}`, buildRow(n)]));
    await writeRecords(
      database,
      alma,
      [...rows].map(([key, row]) => ({ key, row })),
    );
    app = await appWithRoutes((route) => {
      const searchService = buildSearchService(database);
      searchRoutes(route, { searchService });
      summaryRoutes(route, { database, searchService, memories: new ListMemories(database) });
    });
  });

  const caller = callerOf(() => app);
  const summarize = (body: object, list = alma) => caller.post(`${list.searchPath}/summary`, body);
  const readSummary = async (body: object, list = alma) => {
    const { status, json } = await summarize(body, list);
    expect(status, JSON.stringify(json)).toBe(200);
    return json as unknown as SearchSummary;
  };
  const withdrawKeys = async (keys: readonly string[]) => {
    const { rows: found } = await database.query(
      `select id from ${alma.key} where natural_key = any($1::text[])`,
      [arrayText(keys)],
    );
    await withdrawRecords(
      database,
      alma,
      found.map(({ id }) => Number(id)),
    );
  };
  const counts = async () => {
    const summary = await readSummary({});
    const facets = ['severity', 'category', 'osVersion', 'releaseDate'].map((field) =>
      asMap(summary, field),
    );
    return [summary.totalCount, ...facets];
  };
  const countedOneByOne = () => {
    const all = [...rows.values()];
    return [
      all.length,
      counted(all.map(getSeverity)),
      counted(all.map(({ category }) => category)),
      counted(all.flatMap(({ osVersion }) => (osVersion.length === 0 ? [null] : osVersion))),
      counted(
        all.map(({ releaseDate }) =>
          releaseDate === null ? null : new Date(releaseDate).getUTCFullYear(),
        ),
      ),
    ];
  };

  test('counts every value of every facet, also after records were written, withdrawn and restored', async () => {
    expect(await counts()).toEqual(countedOneByOne());
    for (const n of [3, 4, 5])
      rows.set(`a${n}`, { ...buildRow(n), severity: 'Low', osVersion: ['7'] });
    for (const n of [300, 301]) rows.set(`a${n}`, buildRow(n));
    await writeRecords(
      database,
      alma,
      [...rows].map(([key, row]) => ({ key, row })),
      2,
    );
    expect(await counts()).toEqual(countedOneByOne());
    for (const key of ['a7', 'a300']) rows.delete(key);
    await withdrawKeys(['a7', 'a300']);
    expect(await counts()).toEqual(countedOneByOne());
    rows.set('a7', buildRow(7));
    await writeRecords(database, alma, [{ key: 'a7', row: buildRow(7) }], 4);
    expect(await counts()).toEqual(countedOneByOne());
  });

  test('counts records by day, which is that of the vendor in every time zone, and by severity', async () => {
    const body = {
      filter: `releaseDate between ${from} and ${from + 9 * day}`,
      histogram: { field: 'releaseDate', timeZone: 'America/New_York' },
    };
    const { histogram } = await readSummary(body);
    const expected = [...rows.values()].filter(
      ({ releaseDate }) => releaseDate !== null && releaseDate <= from + 9 * day,
    );
    expect(histogram?.unit).toBe('day');
    // The first date is midnight UTC on 2 January, which would be the evening of 1 January in New York.
    expect(histogram?.buckets[0]?.from).toBe(from + day);
    expect(histogram?.buckets.map(({ count }) => count)).toEqual(
      Array.from(
        { length: 9 },
        (_, n) => expected.filter(({ releaseDate }) => releaseDate === from + (n + 1) * day).length,
      ),
    );
    const first = expected.filter(({ releaseDate }) => releaseDate === from + day);
    const stated = first.map(getSeverity).filter((severity) => severity !== null);
    expect(new Map(Object.entries(histogram?.buckets[0]?.bySeverity ?? {}))).toEqual(
      counted(stated),
    );
  });

  test('counts known exploited records by the risk sources, in the list and in all patches', async () => {
    await writeRecords(
      database,
      rocky,
      [
        {
          key: 'r1',
          row: { title: 'one', bulletinId: 'RLSA-1' },
          detail: { cve: ['CVE-2024-1001'] },
        },
        {
          key: 'r2',
          row: { title: 'two', bulletinId: 'RLSA-2' },
          detail: { cve: ['CVE-2024-1002'] },
        },
        { key: 'r3', row: { title: 'three', bulletinId: 'RLSA-3' } },
      ],
      5,
    );
    const exploited = async () => [
      asMap(await readSummary({}, rocky), 'exploited'),
      asMap(await readSummary({ filter: "vendor = 'Rocky Linux'" }, allPatches), 'exploited'),
    ];
    const unknown = new Map([[null, 3]]);
    expect(await exploited()).toEqual([unknown, unknown]);
    await database.query(
      "insert into feed_part (source, part, feed_version, read_time) values ('kev', 'catalogue', 1, 1)",
    );
    await writeCveFacts(database, buildKevFacts('CVE-2024-1001'));
    await database.query("insert into stale_cve values ('cve-2024-1002') on conflict do nothing");
    await refreshStaleCves(database);
    const known = new Map<unknown, number>([
      [true, 1],
      [false, 1],
      [null, 1],
    ]);
    expect(await exploited()).toEqual([known, known]);
  });

  test('stops counting records that were deleted from the index of records', async () => {
    const total = async () => (await readSummary({}, allPatches)).totalCount;
    const before = await total();
    await withdrawKeys(['a1', 'a2']);
    expect(before - (await total())).toBe(2);
  });

  test('names the allowed fields for an unknown facet or date', async () => {
    expect(await summarize({ facets: ['title'] }).refusal).toEqual([
      422,
      "AlmaLinux patches has no facet 'title'. Facets: severity, category, osVersion, exploited, releaseDate.",
    ]);
    expect(await summarize({ histogram: { field: 'title' } }).refusal).toEqual([
      422,
      "AlmaLinux patches has no date 'title'. Dates: releaseDate.",
    ]);
    const histogram = { field: 'releaseDate', timeZone: 'Mars/Olympus' };
    expect(await summarize({ histogram }).status).toBe(422);
  });
});
