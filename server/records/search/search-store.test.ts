/** The choice between memory and PostgreSQL, and memory that follows its list; random-searches.test.ts compares the results. */
import { listOfKey } from '@patch/catalogue/lists.ts';
import { beforeEach, expect, test } from 'vitest';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { withdrawRecords, writeRecords, writeRows } from '../../testing/record-factories.ts';
import { readSearch, type Search } from '../criteria/search-request.ts';
import { ListMemories } from '../memory/list-memories.ts';
import { isInMemory } from '../memory/memory-search.ts';
import { SearchStore } from './search-store.ts';

const alma = listOfKey('almalinux_patch');
const day = 86_400_000;

const rowOf = (n: number, title: string) => ({
  bulletinId: `ALSA-${n}`,
  title,
  severity: n % 2 === 0 ? 'Critical' : 'Low',
  releaseDate: n % 7 === 0 ? null : n * day,
});

const asked = (body: { filter?: string; keyword?: string }, query: { sort?: string } = {}) =>
  readSearch(alma, { offset: 0, size: 5, ...query }, body);

const kernels = asked({ filter: "lower(title) like '%kernel%'" });

describeWithDatabase('the search store', (open) => {
  let database: Database;
  /** Statements that evaluate conditions. */
  let searches: string[];
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
    searches = [];
    watched = {
      query(text, values, limits) {
        if (text.includes('with hits')) searches.push(text);
        return database.query(text, values, limits);
      },
    };
  });

  /** Answers by statements alone. */
  const plain = { find: (search: Search) => new SearchStore(database).find(search) };

  test('answers a row with every field of the list, several values as an array', async () => {
    const row = {
      title: 'bash update',
      releaseDate: 1_700_000_000_000,
      bulletinId: 'ALSA-2024:1',
      severity: 'Moderate',
      binaryPkgName: ['OpenSSL', 'OpenSSL-libs', 'İstanbul'],
      category: 'bugfix',
      osVersion: ['9'],
    };
    const [id] = await writeRows(database, alma, [row]);
    const { rows, total } = await plain.find(asked({ keyword: 'ALSA-2024:1' }));
    expect(total).toBe(1);
    expect(JSON.parse(rows)).toEqual({ id, ...row, exploited: null, epss: null, cvss: null });
    expect(Object.keys(JSON.parse(rows) as object)).toEqual(['id', ...Object.keys(alma.fields)]);
  });

  test('reads texts into memory when they are first compared, and evaluates nothing in PostgreSQL from then on', async () => {
    const memories = new ListMemories(database);
    const store = new SearchStore(watched, { memories });
    const first = await store.find(kernels);
    expect(searches).toHaveLength(1);
    await expect.poll(() => isInMemory(memories, kernels)).toBe(true);
    expect(await store.find(kernels)).toEqual(first);
    const others = [
      asked({ filter: "lower(title) like '%openssl update 1%'" }),
      asked({ filter: "lower(title) not like '%kernel%'" }, { sort: 'title' }),
      asked({ filter: "severity = 'Low'" }, { sort: '-severity,releaseDate' }),
      asked({ filter: `releaseDate > ${100 * day}` }, { sort: 'releaseDate' }),
    ];
    for (const search of others) expect(await store.find(search)).toEqual(await plain.find(search));
    expect(searches).toHaveLength(1);
  });

  test('follows what another process writes, withdraws and takes back', async () => {
    const store = new SearchStore(watched, { memories: new ListMemories(database) });
    await store.readIntoMemory(kernels);
    const totals: number[] = [];
    const find = async () => {
      const found = await store.find(kernels);
      expect(found).toEqual(await plain.find(kernels));
      totals.push(found.total);
    };
    await find();
    await writeRecords(database, alma, [
      { key: 'a0', row: rowOf(0, 'no longer of interest') },
      { key: 'a1', row: rowOf(1, 'a kernel after all') },
      { key: 'b', row: rowOf(500, 'new KERNEL') },
    ]);
    await find();
    const text = `select id from ${alma.key} where bulletin_id in ('ALSA-3', 'ALSA-500')`;
    const gone = (await database.query(text)).rows.map(({ id }) => Number(id));
    await withdrawRecords(database, alma, gone);
    await find();
    await writeRecords(database, alma, [{ key: 'b', row: rowOf(500, 'new kernel again') }]);
    await find();
    expect(totals).toEqual([67, 68, 66, 67]);
    expect(searches).toEqual([]);
  });

  test.each(['"update 15"', 'kernel-4.18', 'kb5005112', 'ALSA-15'])(
    'answers the keyword %s with memory as without',
    async (keyword) => {
      const store = new SearchStore(watched, { memories: new ListMemories(database) });
      const search = asked({ keyword });
      await store.readIntoMemory(search);
      expect(await store.find(search)).toEqual(await plain.find(search));
    },
  );

  test('reads the fields of all lists ahead of the first text', async () => {
    const readings: string[] = [];
    const reading: Queryable = {
      query(text, values, limits) {
        const what = /\bas (texts|columns)\b/.exec(text)?.[1];
        const list = /\bfrom (\w+_patch|vulnerabilities)\b/.exec(text)?.[1] ?? '';
        if (what !== undefined) readings.push(`${what} of ${list}`);
        return database.query(text, values, limits);
      },
    };
    const lists = [alma, listOfKey('vulnerabilities')];
    const words = () => [{ column: 'title_folded', inOrder: true }];
    await new ListMemories(reading).readAhead(lists, words, new AbortController().signal);
    expect(readings).toEqual([
      'columns of almalinux_patch',
      'columns of vulnerabilities',
      'texts of almalinux_patch',
      'texts of vulnerabilities',
    ]);
  });

  test('asks PostgreSQL when there is no room for the texts', async () => {
    const memories = new ListMemories(database, 1);
    const store = new SearchStore(watched, { memories });
    await store.readIntoMemory(kernels);
    expect(isInMemory(memories, kernels)).toBe(false);
    expect(await store.find(kernels)).toEqual(await plain.find(kernels));
    expect(searches).toHaveLength(1);
  });

  test('asks PostgreSQL when a list cannot be read into memory, and says so', async () => {
    const failing: Queryable = {
      query: (text, values) =>
        text.includes('as texts')
          ? Promise.reject(new Error('The database is gone'))
          : database.query(text, values),
    };
    const failures: unknown[] = [];
    const store = new SearchStore(database, {
      memories: new ListMemories(failing),
      onFailure: (error) => failures.push(error),
    });
    await store.readIntoMemory(kernels);
    expect(failures).toEqual([new Error('The database is gone')]);
    expect(await store.find(kernels)).toEqual(await plain.find(kernels));
  });
});
