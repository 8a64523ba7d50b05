/** Summaries held against counting the written records one by one; random-searches.test.ts has conditions and keywords. */
import { randomBytes } from 'node:crypto';
import { listOfKey } from '@patch/catalogue/lists.ts';
import type { SearchSummary } from '@patch/contract/search-summary-endpoint.ts';
import type { FastifyInstance } from 'fastify';
import { beforeEach, expect, test } from 'vitest';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Database } from '../../platform/database/database.ts';
import { refreshStaleCves } from '../../platform/database/stale-cve-store.ts';
import { secretBox } from '../../platform/secrets/secret-box.ts';
import { appWithRoutes, ask } from '../../testing/app-with-routes.ts';
import { buildKevFacts, writeCveFacts } from '../../testing/cve-factories.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { withdrawRecords, writeRecords } from '../../testing/record-factories.ts';
import { ListMemories } from '../memory/list-memories.ts';
import { SearchDesk } from '../search/search-desk.ts';
import { searchRoutes } from '../search/search-routes.ts';
import { summaryRoutes } from './summary-routes.ts';

const alma = listOfKey('almalinux_patch');
const rocky = listOfKey('rockylinux_patch');
const allPatches = listOfKey('all_patches');
const day = 86_400_000;
const from = Date.UTC(2024, 0, 1);

const severities = ['Critical', 'critical', 'Important', 'Moderate', 'Low', 'Bizarre', null];
const releases = [['8'], ['9'], ['8', '9'], ['10'], []];

const rowOf = (n: number) => ({
  bulletinId: `ALSA-${n}`,
  title: `${n % 3 === 0 ? 'openssl' : 'kernel'} update ${n}`,
  severity: severities[n % severities.length] ?? null,
  category: n % 2 === 0 ? 'security' : 'bugfix',
  osVersion: releases[n % releases.length] ?? [],
  releaseDate: n % 11 === 0 ? null : from + (n % 400) * day,
});
type Row = ReturnType<typeof rowOf>;

const counted = (values: readonly unknown[]) => {
  const counts = new Map<unknown, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};
const asMap = (summary: SearchSummary, field: string) =>
  new Map((summary.facets[field] ?? []).map(({ value, count }) => [value, count]));

/** One spelling for each severity, as most of the rows spell it where the list's choices do not. */
const severityOf = ({ severity }: Row) => (severity === 'critical' ? 'Critical' : severity);

describeWithDatabase('the summary of a search', (open) => {
  let database: Database;
  let app: FastifyInstance;
  let rows: Map<string, Row>;

  beforeEach(async () => {
    database = await open();
    rows = new Map(Array.from({ length: 300 }, (_, n) => [`a${n}`, rowOf(n)]));
    await writeRecords(
      database,
      alma,
      [...rows].map(([key, row]) => ({ key, row })),
    );
    app = await appWithRoutes((route) => {
      const desk = new SearchDesk({ database, box: secretBox(randomBytes(32)) });
      searchRoutes(route, { desk });
      summaryRoutes(route, { database, desk, memories: new ListMemories(database) });
    });
  });

  const summaryOf = async (body: object, list = alma) => {
    const reply = await ask(app, 'POST', `${list.searchPath}/summary`, body);
    expect(reply.status, JSON.stringify(reply.body)).toBe(200);
    return reply.body as unknown as SearchSummary;
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
    const summary = await summaryOf({});
    const facets = ['severity', 'category', 'osVersion', 'releaseDate'].map((field) =>
      asMap(summary, field),
    );
    return [summary.totalCount, ...facets];
  };
  const countedOneByOne = () => {
    const all = [...rows.values()];
    return [
      all.length,
      counted(all.map(severityOf)),
      counted(all.map(({ category }) => category)),
      counted(all.flatMap(({ osVersion }) => (osVersion.length === 0 ? [null] : osVersion))),
      counted(
        all.map(({ releaseDate }) =>
          releaseDate === null ? null : new Date(releaseDate).getUTCFullYear(),
        ),
      ),
    ];
  };

  test('counts every value of every facet, also after records were written, withdrawn and taken back', async () => {
    expect(await counts()).toEqual(countedOneByOne());
    for (const n of [3, 4, 5])
      rows.set(`a${n}`, { ...rowOf(n), severity: 'Low', osVersion: ['7'] });
    for (const n of [300, 301]) rows.set(`a${n}`, rowOf(n));
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
    rows.set('a7', rowOf(7));
    await writeRecords(database, alma, [{ key: 'a7', row: rowOf(7) }], 4);
    expect(await counts()).toEqual(countedOneByOne());
  });

  test('draws the records over time, stacked by severity, in the days of the time zone', async () => {
    const body = {
      filter: `releaseDate between ${from} and ${from + 9 * day}`,
      histogram: { field: 'releaseDate', timeZone: 'America/New_York' },
    };
    const { histogram } = await summaryOf(body);
    const expected = [...rows.values()].filter(
      ({ releaseDate }) => releaseDate !== null && releaseDate <= from + 9 * day,
    );
    expect(histogram?.unit).toBe('day');
    // The first row with a date has that of 2 January. Midnight in UTC is the evening of 1 January in New York, five hours behind.
    expect(histogram?.buckets[0]?.from).toBe(from + 5 * 3_600_000);
    expect(histogram?.buckets.map(({ count }) => count)).toEqual(
      Array.from(
        { length: 9 },
        (_, n) => expected.filter(({ releaseDate }) => releaseDate === from + (n + 1) * day).length,
      ),
    );
    const first = expected.filter(({ releaseDate }) => releaseDate === from + day);
    const named = first.map(severityOf).filter((severity) => severity !== null);
    expect(new Map(Object.entries(histogram?.buckets[0]?.bySeverity ?? {}))).toEqual(
      counted(named),
    );
  });

  test('known exploited follows the risk sources, in the list and in all patches', async () => {
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
      asMap(await summaryOf({}, rocky), 'exploited'),
      asMap(await summaryOf({ filter: "vendor = 'Rocky Linux'" }, allPatches), 'exploited'),
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

  test('what is deleted from the index of records is counted no longer', async () => {
    const total = async () => (await summaryOf({}, allPatches)).totalCount;
    const before = await total();
    await withdrawKeys(['a1', 'a2']);
    expect(before - (await total())).toBe(2);
  });

  test('names what is allowed in place of a field that is no facet, or no date', async () => {
    const refused = async (body: object) => {
      const reply = await ask(app, 'POST', `${alma.searchPath}/summary`, body);
      return [reply.status, reply.body['userMessage']];
    };
    expect(await refused({ facets: ['title'] })).toEqual([
      422,
      "'title' is no facet of AlmaLinux patches. Facets: severity, category, osVersion, exploited, releaseDate.",
    ]);
    expect(await refused({ histogram: { field: 'title' } })).toEqual([
      422,
      "'title' is no date of AlmaLinux patches. A histogram shows one of: releaseDate.",
    ]);
    const [status] = await refused({
      histogram: { field: 'releaseDate', timeZone: 'Mars/Olympus' },
    });
    expect(status).toBe(422);
  });
});
