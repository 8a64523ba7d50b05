/** The choice between memory and PostgreSQL, and refreshes of memory. random-searches.test.ts compares the results. */
import { getList } from '@patch/catalogue/lists.ts';
import { beforeEach, expect, test } from 'vitest';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { withdrawRecords, writeRecords, writeRows } from '../../testing/record-factories.ts';
import { readSearch, type Search } from '../criteria/search-request.ts';
import { ListMemories } from '../memory/list-memories.ts';
import { canRunInMemory } from '../memory/memory-search.ts';
import { SearchStore } from './search-store.ts';

const alma = getList('almalinux_patch');
const day = 86_400_000;

const buildRow = (n: number, title: string) => ({
  bulletinId: `ALSA-${n}`,
  title,
  severity: n % 2 === 0 ? 'Critical' : 'Low',
  releaseDate: n % 7 === 0 ? null : n * day,
});

const readRequest = (body: { filter?: string; keyword?: string }, query: { sort?: string } = {}) =>
  readSearch(alma, { offset: 0, size: 5, ...query }, body);

const kernelFilter = "lower(title) like '%kernel%'";
const kernels = readRequest({ filter: kernelFilter });

describeWithDatabase('SearchStore', (open) => {
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
        row: buildRow(n, `${n % 3 === 0 ? 'kernel' : 'openssl'} update ${n}`),
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

  /** Searches only in PostgreSQL. */
  const plain = { find: (search: Search) => new SearchStore(database).find(search) };

  test('returns a row with every field of the list, several values as an array', async () => {
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
    const { rows, total } = await plain.find(readRequest({ keyword: 'ALSA-2024:1' }));
    expect(total).toBe(1);
    expect(JSON.parse(rows)).toEqual({ id, ...row, exploited: null, epss: null, cvss: null });
    expect(Object.keys(JSON.parse(rows) as object)).toEqual(['id', ...Object.keys(alma.fields)]);
  });

  test('sorts versions as dpkg compares them', async () => {
    const list = getList('linux_patch_repository');
    const inOrder = ['1.9~rc1', '1.9', '1.10', '1.10-1+b1', '1:0.1'];
    const written = inOrder.toReversed().map((version) => ({ binaryPkgVersion: version }));
    await writeRows(database, list, written);
    const { rows } = await plain.find(
      readSearch(list, { offset: 0, size: 5, sort: 'binaryPkgVersion' }, {}),
    );
    expect(JSON.parse(`[${rows}]`)).toMatchObject(written.toReversed());
  });

  test('loads texts with the first search that compares them, and then evaluates no condition in PostgreSQL', async () => {
    const memories = new ListMemories(database);
    const store = new SearchStore(watched, { memories });
    const first = await store.find(kernels);
    expect(searches).toHaveLength(1);
    await expect.poll(() => canRunInMemory(memories, kernels)).toBe(true);
    expect(await store.find(kernels)).toEqual(first);
    const others = [
      readRequest({ filter: "lower(title) like '%openssl update 1%'" }),
      readRequest({ filter: "lower(title) not like '%kernel%'" }, { sort: 'title' }),
      readRequest({ filter: "severity = 'Low'" }, { sort: '-severity,releaseDate' }),
      readRequest({ filter: `releaseDate > ${100 * day}` }, { sort: 'releaseDate' }),
    ];
    for (const search of others) expect(await store.find(search)).toEqual(await plain.find(search));
    expect(searches).toHaveLength(1);
  });

  test('finds a text of several lines by its equal while its words are in memory', async () => {
    await writeRows(database, alma, [{ title: 'kernel\nand modules' }]);
    const store = new SearchStore(watched, { memories: new ListMemories(database) });
    await store.readIntoMemory(kernels);
    const totals: number[] = [];
    for (const title of ['kernel\nand modules', 'kernel', 'and modules'])
      totals.push(
        (await store.find(readRequest({ filter: `lower(title) in ('${title}')` }))).total,
      );
    expect(totals).toEqual([1, 0, 0]);
  });

  test('finds rows that another process has written, withdrawn and restored', async () => {
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
      { key: 'a0', row: buildRow(0, 'no longer of interest') },
      { key: 'a1', row: buildRow(1, 'a kernel after all') },
      { key: 'b', row: buildRow(500, 'new KERNEL') },
    ]);
    await find();
    const text = `select id from ${alma.key} where bulletin_id in ('ALSA-3', 'ALSA-500')`;
    const gone = (await database.query(text)).rows.map(({ id }) => Number(id));
    await withdrawRecords(database, alma, gone);
    await find();
    await writeRecords(database, alma, [{ key: 'b', row: buildRow(500, 'new kernel again') }]);
    await find();
    expect(totals).toEqual([67, 68, 66, 67]);
    expect(searches).toEqual([]);
  });

  test('finds all rows that were written since, in several batches, and orders many by a title', async () => {
    const store = new SearchStore(watched, { memories: new ListMemories(database) });
    await store.readIntoMemory(kernels);
    const written = Array.from({ length: 5_000 }, (_, n) => buildRow(n, `kernel ${n}`));
    await writeRows(database, alma, written);
    expect(await store.find(kernels)).toMatchObject({ total: 67 + written.length });
    // Memory knows the severities and not the order of the titles within one.
    const byTitle = readRequest({ filter: kernelFilter }, { sort: 'severity,title' });
    for (const offset of [10, 2_600]) {
      const search = { ...byTitle, offset };
      expect(await store.find(search)).toEqual(await plain.find(search));
    }
    expect(searches).toEqual([]);
  });

  test.each(['"update 15"', 'kernel-4.18', 'kb5005112', 'ALSA-15'])(
    'finds the same rows for the keyword %s with and without memory',
    async (keyword) => {
      const store = new SearchStore(watched, { memories: new ListMemories(database) });
      const search = readRequest({ keyword });
      await store.readIntoMemory(search);
      expect(await store.find(search)).toEqual(await plain.find(search));
    },
  );

  test.each([
    "lower(osVersion) like '%8\n9%'",
    "lower(osVersion) like '8\n9'",
    "lower(osVersion) in ('8\n9')",
  ])('finds no text that spans two values of a field: %j', async (filter) => {
    await writeRows(database, alma, [{ title: 'pair', osVersion: ['8', '9'] }]);
    const store = new SearchStore(watched, { memories: new ListMemories(database) });
    const search = readRequest({ filter });
    await store.readIntoMemory(search);
    expect(await store.find(search)).toMatchObject({ total: 0 });
    expect(await plain.find(search)).toMatchObject({ total: 0 });
  });

  test('preloads the fields of all lists before the first text', async () => {
    const readings: string[] = [];
    const reading: Queryable = {
      query(text, values, limits) {
        const columns = /json_build_array\((.*)\) as columns/.exec(text)?.[1];
        const list = /\bfrom (\w+_patch|vulnerabilities)\b/.exec(text)?.[1] ?? '';
        if (columns !== undefined)
          readings.push(`${columns === 'json_agg(title_folded)' ? 'texts' : 'columns'} of ${list}`);
        return database.query(text, values, limits);
      },
    };
    const lists = [alma, getList('vulnerabilities')];
    const words = () => [{ column: 'title_folded', inOrder: true }];
    await new ListMemories(reading).preload(lists, words, new AbortController().signal);
    expect(readings).toEqual([
      'columns of almalinux_patch',
      'columns of vulnerabilities',
      'texts of almalinux_patch',
      'texts of vulnerabilities',
    ]);
  });

  test('preloads no text that does not fit beside the fields of other lists', async () => {
    const lists = [alma, getList('vulnerabilities')];
    const preload = async (memories: ListMemories, columns: readonly string[]) => {
      const texts = () => columns.map((column) => ({ column, inOrder: true }));
      await memories.preload(lists, texts, new AbortController().signal);
      return new Map(memories.figures.map(({ list, texts: loaded }) => [list.key, loaded]));
    };
    const fields = new ListMemories(database);
    await preload(fields, []);
    const memories = new ListMemories(database, { maxBytes: fields.bytes * 1.3 });
    expect(await preload(memories, ['title_folded'])).toEqual(
      new Map(lists.map(({ key }) => [key, []])),
    );
    await new SearchStore(database, { memories }).readIntoMemory(kernels);
    expect(memories.figures.map(({ list }) => list.key)).toEqual([alma.key]);
  });

  test('searches in PostgreSQL when the texts do not fit into memory', async () => {
    const memories = new ListMemories(database, { maxBytes: 1 });
    const store = new SearchStore(watched, { memories });
    await store.readIntoMemory(kernels);
    expect(canRunInMemory(memories, kernels)).toBe(false);
    expect(await store.find(kernels)).toEqual(await plain.find(kernels));
    expect(searches).toHaveLength(1);
  });

  test('searches in PostgreSQL and reports the error when a list cannot be loaded', async () => {
    const failing: Queryable = {
      query: (text, values) =>
        text.includes('json_build_array(json_agg(title_folded))')
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
