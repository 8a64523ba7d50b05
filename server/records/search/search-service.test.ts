import { getList } from '@patch/catalogue/lists.ts';
import { beforeEach, expect, test } from 'vitest';
import type { Queryable } from '../../platform/database/database.ts';
import type { OpenDatabase } from '../../platform/database/schema/open-database.ts';
import { serverDatabase } from '../../platform/database/server-database.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { withdrawRecords, writeRecords, writeRows } from '../../testing/record-factories.ts';
import { readSearch } from '../criteria/search-request.ts';
import { SearchStore } from './search-store.ts';
import { buildSearchService } from './testing/build-search-service.ts';

const errata = getList('almalinux_patch');
const neverAborted = new AbortController().signal;
const filtered = (n: number) =>
  readSearch(errata, { offset: 0, size: 25 }, { filter: `lower(title) not like '%c_e%${n}%x'` });
const firstPage = readSearch(errata, { offset: 0, size: 25 }, {});

describeWithDatabase('SearchService', (open) => {
  let database: OpenDatabase;

  beforeEach(async () => {
    database = await open();
    const rows = Array.from({ length: 1_200 }, (_, n) => ({
      title: `title ${n}`,
      bulletinId: `A-${n}`,
      releaseDate: n,
    }));
    await writeRows(database, errata, rows);
  });

  /** Replaces searches with conditions by a statement that sleeps for twenty seconds. */
  const slow = (inner: Queryable = database): Queryable => ({
    query: (text, values, limits) =>
      text.includes('with hits')
        ? inner.query("select pg_sleep(20)::text as rows, 0 as total -- 'slow'", [], limits)
        : inner.query(text, values, limits),
  });
  const createSearchService = (queryable: Queryable) =>
    buildSearchService(database, { store: new SearchStore(queryable) });

  async function sleepingStatements(): Promise<number> {
    const text =
      "select count(*) as running from pg_stat_activity where state = 'active' and query like 'select pg_sleep%' and datname = current_database()";
    const [row] = (await database.query(text)).rows;
    return Number(row?.['running']);
  }

  test('cancels the statement in PostgreSQL when the caller disconnects', async () => {
    const leaving = new AbortController();
    const pending = createSearchService(slow()).find(
      { user: 'a', signal: leaving.signal },
      filtered(1),
    );
    await expect.poll(sleepingStatements).toBe(1);
    leaving.abort();
    await expect(pending).rejects.toMatchObject({ code: 'caller_left' });
    expect(await sleepingStatements()).toBe(0);
  });

  test('suggests fewer conditions when a search exceeds the statement timeout', async () => {
    const hasty = serverDatabase({ url: database.url, connections: 1, statementTimeout: 100 });
    const pending = createSearchService(slow(hasty)).find(
      { user: 'a', signal: neverAborted },
      filtered(1),
    );
    await expect(pending).rejects.toMatchObject({
      code: 'search_too_expensive',
      message: expect.stringMatching(/took too long\. Use fewer conditions/),
    });
    await hasty.close();
  });

  test('returns a first page while 64 slow searches of another user run or wait', async () => {
    const searchService = createSearchService(slow());
    const leaving = new AbortController();
    const hostile = Array.from({ length: 64 }, (_, n) =>
      searchService.find({ user: 'hostile', signal: leaving.signal }, filtered(n)),
    );
    await expect.poll(sleepingStatements).toBe(3);
    expect(
      (await searchService.find({ user: 'other', signal: neverAborted }, firstPage)).total,
    ).toBe(1_200);
    leaving.abort();
    const ended = await Promise.allSettled(hostile);
    expect(ended.every(({ status }) => status === 'rejected')).toBe(true);
    expect(await sleepingStatements()).toBe(0);
  });

  test('returns a page from the cache until the list changes', async () => {
    const statements: string[] = [];
    const searchService = createSearchService({
      query: (text, values, limits) => {
        statements.push(text);
        return database.query(text, values, limits);
      },
    });
    const caller = { user: 'a', signal: neverAborted };
    const first = await searchService.find(caller, filtered(1));
    expect(await searchService.find({ ...caller, user: 'b' }, filtered(1))).toEqual(first);
    expect(statements).toHaveLength(1);
    await writeRecords(database, errata, [
      { key: 'b', row: { title: 'another', bulletinId: 'B' } },
    ]);
    const text = `select id from ${errata.key} where bulletin_id = 'B'`;
    const id = Number((await database.query(text)).rows[0]?.['id']);
    expect((await searchService.find(caller, filtered(1))).total).toBe(first.total + 1);
    await withdrawRecords(database, errata, [id]);
    expect(await searchService.find(caller, filtered(1))).toEqual(first);
  });

  test('caches the default order, in which names come first, apart from the same order by request', async () => {
    const searchService = createSearchService(database);
    const caller = { user: 'a', signal: neverAborted };
    const find = async (query: { sort?: string }) => {
      const search = readSearch(errata, { offset: 0, size: 1, ...query }, { keyword: 'A-5' });
      const { rows } = await searchService.find(caller, search);
      return (JSON.parse(rows) as { bulletinId: string }).bulletinId;
    };
    expect(await find({})).toBe('A-5');
    expect(await find({ sort: errata.defaultSort })).toBe('A-599');
  });

  test('reads the revision once for each search in memory', async () => {
    let readings = 0;
    const counted: Queryable = {
      query(text, values, limits) {
        if (text.includes('from list_revision')) readings += 1;
        return database.query(text, values, limits);
      },
    };
    const searchService = buildSearchService(counted);
    const caller = { user: 'a', signal: neverAborted };
    const search = (word: string) =>
      readSearch(errata, { offset: 0, size: 5 }, { filter: `lower(title) like '%${word}%'` });
    await searchService.store.readIntoMemory(search('title 1'));
    readings = 0;
    expect((await searchService.find(caller, search('title 119'))).total).toBe(11);
    expect(readings).toBe(1);
    await writeRows(database, errata, [{ title: 'title 1190', bulletinId: 'B', releaseDate: 1 }]);
    expect((await searchService.find(caller, search('title 1190'))).total).toBe(2);
  });

  test('exports page by page between other searches, until the reader disconnects', async () => {
    const searchService = buildSearchService(database, {
      limits: { perUser: 1, allUsers: 1, maxWaiting: 1, waitTimeoutMs: 10_000 },
    });
    const leaving = new AbortController();
    const left = searchService.pages({ user: 'a', signal: leaving.signal }, filtered(1));
    const pages = searchService.pages({ user: 'a', signal: neverAborted }, filtered(2));
    expect((await left.next()).value).toHaveLength(500);
    expect((await pages.next()).value).toHaveLength(500);
    expect((await searchService.find({ user: 'a', signal: neverAborted }, filtered(3))).total).toBe(
      1_200,
    );
    leaving.abort();
    await expect(left.next()).rejects.toMatchObject({ code: 'caller_left' });
    const rest = [];
    for await (const rows of pages) rest.push(...rows.map(({ bulletinId }) => bulletinId));
    expect(rest).toEqual(Array.from({ length: 700 }, (_, n) => `A-${699 - n}`));
  });
});
