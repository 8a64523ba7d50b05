/** Searches that are answered from memory hold at the list's newest revision, and go to the database when memory cannot answer. */
import { randomBytes } from 'node:crypto';
import { listOfKey } from '@patch/catalogue/lists.ts';
import { beforeEach, expect, test } from 'vitest';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { secretBox } from '../../platform/secrets/secret-box.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { withdrawRecords, writeRecords } from '../../testing/record-factories.ts';
import { readSearch, type Search } from '../criteria/search-request.ts';
import { HeldSearches } from '../memory/held-searches.ts';
import { ListMemories } from '../memory/list-memories.ts';
import { SearchDesk } from './search-desk.ts';
import { SearchStore } from './search-store.ts';

const alma = listOfKey('almalinux_patch');
const day = 86_400_000;
const caller = { user: 'tester', signal: new AbortController().signal };

const rowOf = (n: number, title: string) => ({
  bulletinId: `ALSA-${n}`,
  title,
  severity: n % 2 === 0 ? 'Critical' : 'Low',
  releaseDate: n % 7 === 0 ? null : n * day,
});

const asked = (body: { filter?: string; keyword?: string }, query: { sort?: string } = {}) =>
  readSearch(alma, { offset: 0, size: 5, ...query }, body);

const kernels = asked({ filter: "lower(title) like '%kernel%'" });

describeWithDatabase('searches from memory', (open) => {
  let database: Database;
  /** Statements that test rows of the list. */
  let tests: string[];
  let watched: Queryable;

  beforeEach(async () => {
    database = await open();
    await writeRecords(
      database,
      alma,
      Array.from({ length: 200 }, (_, n) => ({
        key: `a${n}`,
        row: rowOf(n, `${n % 3 === 0 ? 'kernel' : 'openssl'} update ${n}`),
      })),
    );
    tests = [];
    watched = {
      query(text, values) {
        if (/ like \$| between \$/.test(text)) tests.push(text);
        return database.query(text, values);
      },
    };
  });

  async function idOf(bulletin: string): Promise<number> {
    const text = `select id from ${alma.key} where bulletin_id = $1`;
    const [row] = (await database.query(text, [bulletin])).rows;
    return Number(row?.['id']);
  }

  const plain = (search: Search) => new SearchStore(database).find(search);

  /** A desk to which no search is small enough for one statement. */
  async function deskWith(memories: ListMemories): Promise<SearchDesk> {
    const store = new SearchStore(
      watched,
      { price: { heavyAbove: -1, refusedAbove: Number.POSITIVE_INFINITY } },
      new HeldSearches(memories),
    );
    return new SearchDesk({ database: watched, box: secretBox(randomBytes(32)), store });
  }

  test('are read into memory when they are first asked, and need no row of the database from then on', async () => {
    const memories = new ListMemories(database);
    const desk = await deskWith(memories);
    expect(desk.store.isHeld(kernels)).toBe(false);
    const first = await desk.find(caller, kernels);
    expect(tests.length).toBeGreaterThan(0);
    await expect.poll(() => desk.store.isHeld(kernels)).toBe(true);
    tests.length = 0;
    expect(await desk.find(caller, kernels)).toEqual(first);
    const others = ["lower(title) like '%openssl update 1%'", "lower(title) not like '%kernel%'"];
    for (const filter of others)
      expect(await desk.find(caller, asked({ filter }))).toEqual(await plain(asked({ filter })));
    expect(tests).toEqual([]);
  });

  test('follow what is written, withdrawn and taken back by another process', async () => {
    const memories = new ListMemories(database);
    const desk = await deskWith(memories);
    await new HeldSearches(memories).prepare(kernels);
    const totals: number[] = [];
    const find = async () => {
      const found = await desk.find(caller, kernels);
      expect(found).toEqual(await plain(kernels));
      totals.push(found.total);
    };
    await find();
    await writeRecords(database, alma, [
      { key: 'a0', row: rowOf(0, 'no longer of interest') },
      { key: 'a1', row: rowOf(1, 'a kernel after all') },
      { key: 'b', row: rowOf(500, 'new KERNEL') },
    ]);
    await find();
    const gone = await Promise.all(['ALSA-3', 'ALSA-500'].map(idOf));
    await withdrawRecords(database, alma, gone);
    await find();
    await writeRecords(database, alma, [{ key: 'b', row: rowOf(500, 'new kernel again') }]);
    await find();
    expect(totals).toEqual([67, 68, 66, 67]);
  });

  test.each(['kernel-4.18', 'kb5005112'])(
    'answer the keyword %s as the database does',
    async (keyword) => {
      const memories = new ListMemories(database);
      const desk = await deskWith(memories);
      const search = asked({ keyword });
      await new HeldSearches(memories).prepare(search);
      expect(await desk.find(caller, search)).toEqual(await plain(search));
    },
  );

  test('ask the database when there is no room for the texts', async () => {
    const memories = new ListMemories(database, 1);
    const desk = await deskWith(memories);
    await new HeldSearches(memories).prepare(kernels);
    expect(desk.store.isHeld(kernels)).toBe(false);
    expect(await desk.find(caller, kernels)).toEqual(await plain(kernels));
  });

  test('go on with the database when reading into memory fails', async () => {
    const failing: Queryable = {
      query: (text, values) =>
        text.includes('as texts')
          ? Promise.reject(new Error('The database is gone'))
          : database.query(text, values),
    };
    const memories = new ListMemories(failing);
    const failures: unknown[] = [];
    await new HeldSearches(memories, (error) => failures.push(error)).prepare(kernels);
    expect(failures).toEqual([new Error('The database is gone')]);
    const desk = await deskWith(memories);
    expect(await desk.find(caller, kernels)).toEqual(await plain(kernels));
    expect(desk.store.isHeld(kernels)).toBe(false);
  });
});
