import { getList } from '@patch/catalogue/lists.ts';
import type { FastifyInstance } from 'fastify';
import { beforeAll, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { appWithRoutes, callerOf } from '../../testing/app-with-routes.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeRows } from '../../testing/record-factories.ts';
import { readSearch } from '../criteria/search-request.ts';
import { findRelaxedSearches } from './relaxed-search.ts';
import { searchRoutes } from './search-routes.ts';
import type { SearchService } from './search-service.ts';
import { buildSearchService } from './testing/build-search-service.ts';

const alma = getList('almalinux_patch');
const thirdParty = getList('thirdparty_patch');
const day = 86_400_000;

const rows = [
  ['openssl', 'Critical', 10],
  ['openssl', 'Important', 30],
  ['kernel', 'Critical', 20],
  ['bash', 'Low', null],
] as const;

describeWithDatabase('relaxed search', (open) => {
  let database: Database;
  let app: FastifyInstance;
  beforeAll(async () => {
    database = await open();
    await writeRows(
      database,
      alma,
      rows.map(([title, severity, released], n) => ({
        title: `${title} update`,
        bulletinId: `ALSA-${n}`,
        severity,
        osVersion: ['AlmaLinux 8'],
        releaseDate: released === null ? null : released * day,
      })),
    );
    await writeRows(database, thirdParty, [{ name: 'Zip', uuid: 'u1' }]);
    app = await appWithRoutes((answer) =>
      searchRoutes(answer, { searchService: buildSearchService(database) }),
    );
  });
  const relax = (body: object, list = alma) =>
    callerOf(() => app).post(`${list.searchPath}/relaxed`, body);

  test('returns the count and the newest date without each criterion', async () => {
    const filter = `lower(severity) = 'critical' and releaseDate > ${25 * day}`;
    expect(await relax({ filter, keyword: 'update' }).json).toEqual({
      readings: [],
      relaxed: [
        { without: { kind: 'condition', at: 0 }, totalCount: 1, newestReleaseDate: 30 * day },
        { without: { kind: 'condition', at: 1 }, totalCount: 2, newestReleaseDate: 20 * day },
      ],
      untriedCount: 0,
    });
  });

  test('tries the search without each term of the keyword, and without the keyword', async () => {
    const { relaxed } = await relax({ keyword: 'kernel "openssl update"' }).json;
    expect(relaxed).toEqual([
      { without: { kind: 'keyword' }, totalCount: 4, newestReleaseDate: 30 * day },
      { without: { kind: 'term', at: 0 }, totalCount: 2, newestReleaseDate: 30 * day },
      { without: { kind: 'term', at: 1 }, totalCount: 1, newestReleaseDate: 20 * day },
    ]);
  });

  test('reads words as the severity and the release that they name, and counts', async () => {
    const severity = { paramName: 'severity', operator: 'in', value: ['Critical'] };
    const found = { totalCount: 1, newestReleaseDate: 10 * day };
    const release = { paramName: 'osVersion', operator: 'equal', value: 'AlmaLinux 8' };
    const { readings } = await relax({ keyword: 'openssl critical on almalinux' }).json;
    expect(readings).toEqual([{ criteria: [severity, release], keyword: 'openssl', ...found }]);
  });

  test('leaves out as few parts of the words as it takes to find records', async () => {
    const release = { paramName: 'osVersion', operator: 'equal', value: 'AlmaLinux 8' };
    const severity = { paramName: 'severity', operator: 'in', value: ['Critical'] };
    const { readings: withoutOne } = await relax({ keyword: 'bash critical on almalinux 8' }).json;
    expect(withoutOne).toEqual([
      { criteria: [release], keyword: 'bash', totalCount: 1, newestReleaseDate: null },
      { criteria: [severity, release], keyword: '', totalCount: 2, newestReleaseDate: 20 * day },
    ]);
    const { readings: withoutTwo } = await relax({ keyword: 'zzz bash critical almalinux' }).json;
    expect(withoutTwo).toEqual([
      { criteria: [release], keyword: 'bash', totalCount: 1, newestReleaseDate: null },
      { criteria: [severity, release], keyword: '', totalCount: 2, newestReleaseDate: 20 * day },
    ]);
  });

  test('returns no date when the records have none', async () => {
    const undated = { without: { kind: 'keyword' }, totalCount: 1, newestReleaseDate: null };
    const expected = { readings: [], relaxed: [undated], untriedCount: 0 };
    const filter = "lower(title) like 'bash%'";
    expect(await relax({ filter, keyword: 'zzz' }).json).toEqual(expected);
    expect(await relax({ keyword: 'zzz' }, thirdParty).json).toEqual(expected);
  });

  test('returns nothing for a search with results or without criteria', async () => {
    const nothing = { readings: [], relaxed: [], untriedCount: 0 };
    expect(await relax({ keyword: 'kernel' }).json).toEqual(nothing);
    expect(await relax({}).json).toEqual(nothing);
  });

  test('refuses an unknown field', async () => {
    expect(await relax({ filter: "lower(titel) = 'x'" }).outcome).toBe('422 unknown_field');
  });

  test('tries eight criteria and returns the count of the others', async () => {
    const words = Array.from({ length: 12 }, (_, n) => `zzz${n}`).join(' ');
    expect(await relax({ keyword: words }).json).toEqual({
      readings: [],
      relaxed: [{ without: { kind: 'keyword' }, totalCount: 4, newestReleaseDate: 30 * day }],
      untriedCount: 5,
    });
  });

  const emptySearch = (keyword: string) =>
    readSearch(alma, { offset: 0, size: 1 }, { filter: "lower(title) like '%update%'", keyword });
  const caller = { user: '1', signal: new AbortController().signal };

  test('skips expensive searches and starts none after five seconds', async () => {
    const free = buildSearchService(database);
    const searching = {
      store: free.store,
      find: (...[each, search]: Parameters<SearchService['find']>) =>
        search.keyword === ''
          ? Promise.reject(new AppError('search_too_expensive', 'It took too long.'))
          : free.find(each, search),
    } as SearchService;
    expect(await findRelaxedSearches(searching, caller, emptySearch('zzz'))).toEqual({
      readings: [],
      relaxed: [],
      untriedCount: 1,
    });
    let time = 0;
    const slow = () => (time += 6_000);
    expect(await findRelaxedSearches(free, caller, emptySearch('kernel bash'), slow)).toEqual({
      readings: [],
      relaxed: [],
      untriedCount: 4,
    });
  });

  test('stops when the caller disconnects', async () => {
    const leaving = new AbortController();
    const searchService = buildSearchService(database);
    const searching = findRelaxedSearches(
      searchService,
      { user: '1', signal: leaving.signal },
      emptySearch('kernel bash'),
    );
    leaving.abort();
    await expect(searching).rejects.toMatchObject({ code: 'caller_left' });
  });
});
