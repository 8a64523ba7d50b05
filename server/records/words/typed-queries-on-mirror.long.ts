/** Searches the synced feed mirror for queries as people write them, and looks for the record that they expect first. */
import { getList } from '@patch/catalogue/lists.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { syncMirror } from '../../ingest/testing/sync-mirror.ts';
import type { Database } from '../../platform/database/database.ts';
import { openMigrated } from '../../testing/databases.ts';
import { describeWithMirror } from '../../testing/feed-mirror.ts';
import { createSearch } from '../criteria/search-request.ts';
import { ListMemories } from '../memory/list-memories.ts';
import { getKeywordTexts } from '../memory/memory-search.ts';
import { addReading, countQuery } from '../search/query-search.ts';
import type { SearchService } from '../search/search-service.ts';
import { buildSearchService } from '../search/testing/build-search-service.ts';
import { type ExpectedRecord, typedQueries } from './testing/typed-queries.ts';

const now = Date.UTC(2026, 7, 14);
const allPatches = getList('all_patches');
const shown = 5;

interface Row {
  readonly identifier: string;
  readonly title: string | null;
  readonly vendor: string | null;
  readonly release: readonly string[] | null;
  readonly severity: string | null;
  readonly exploited: boolean | null;
  readonly cve: readonly string[] | null;
  readonly releaseDate: number | null;
}

function fits(row: Row, expected: ExpectedRecord): boolean {
  const { named, identifier, title, vendor, release, severity, exploited, releasedIn, cve } =
    expected;
  const day = row.releaseDate === null ? '' : new Date(row.releaseDate).toISOString();
  return [
    named === undefined || named.test(row.identifier) || named.test(row.title ?? ''),
    identifier === undefined || identifier.test(row.identifier),
    title === undefined || title.test(row.title ?? ''),
    vendor === undefined || vendor.test(row.vendor ?? ''),
    release === undefined || (row.release ?? []).some((each) => release.test(each)),
    severity === undefined || severity === row.severity,
    exploited === undefined || exploited === row.exploited,
    releasedIn === undefined || day.startsWith(releasedIn),
    cve === undefined || (row.cve ?? []).includes(cve),
  ].every(Boolean);
}

describeWithMirror('queries as people write them', (mirror) => {
  const failures: unknown[] = [];
  const notFirst: string[] = [];
  const notAmongFive: string[] = [];
  const empty: string[] = [];
  let database: Database;
  let searchService: SearchService;

  beforeAll(async () => {
    database = await openMigrated();
    failures.push(...(await syncMirror(database, mirror, now)));
    const memories = new ListMemories(database);
    await memories.readTexts(allPatches, getKeywordTexts(allPatches));
    searchService = buildSearchService(database, { memories });
    for (const [query, expected] of typedQueries) await ask(query, expected);
  }, 900_000);
  afterAll(() => database.close());

  async function ask(query: string, expected: ExpectedRecord): Promise<void> {
    const caller = { user: 'reader', signal: new AbortController().signal };
    const search = createSearch(allPatches, { offset: 0, size: shown }, { conditions: [] });
    const reading = await countQuery(searchService, caller, search, query);
    const { rows, total } = await searchService.find(caller, addReading(search, reading));
    const found = JSON.parse(`[${rows}]`) as readonly Row[];
    const at = found.findIndex((row) => fits(row, expected));
    const names = found.map(({ identifier, title }) => `${identifier} ${title ?? ''}`);
    if (at !== 0) notFirst.push(`${query}: ${names[0] ?? 'nothing'}`);
    if (at < 0) notAmongFive.push(`${query}: ${names.join(', ')}`);
    if (total === 0) empty.push(query);
  }

  test('syncs without a failure', () => {
    expect(failures).toEqual([]);
  });

  test('finds the expected record first for nine of ten', () => {
    expect(notFirst.length, notFirst.join('\n')).toBeLessThanOrEqual(typedQueries.length * 0.1);
  });

  test('finds the expected record among the first five for 98 of 100', () => {
    expect(notAmongFive.length, notAmongFive.join('\n')).toBeLessThanOrEqual(
      typedQueries.length * 0.02,
    );
  });

  test('finds a record for each', () => {
    expect(empty).toEqual([]);
  });
});
