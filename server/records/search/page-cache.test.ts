/** Pages that are asked for again come from memory until something that they show has changed. */
import { randomBytes } from 'node:crypto';
import { listOfKey } from '@patch/catalogue/lists.ts';
import { beforeEach, expect, test } from 'vitest';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { secretBox } from '../../platform/secrets/secret-box.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { withdrawRecords, writeRecords } from '../../testing/record-factories.ts';
import { readSearch, type Search } from '../criteria/search-request.ts';
import { ListStamps } from '../memory/list-stamps.ts';
import { PageCache } from './page-cache.ts';
import { SearchDesk } from './search-desk.ts';

const errata = listOfKey('almalinux_patch');
const clients = listOfKey('floto_user');
const caller = { user: 'tester', signal: new AbortController().signal };
const firstPage = readSearch(errata, { offset: 0, size: 5 }, {});

const rowOf = (n: number, title = `title ${n}`) => ({
  key: `a${n}`,
  row: { bulletinId: `ALSA-${n}`, title, releaseDate: n },
});

describeWithDatabase('pages that are kept', (open) => {
  let database: Database;
  let desk: SearchDesk;
  /** Statements that read rows of a list. */
  let reads: number;

  beforeEach(async () => {
    database = await open();
    await writeRecords(
      database,
      errata,
      Array.from({ length: 12 }, (_, n) => rowOf(n)),
    );
    reads = 0;
    const watched: Queryable = {
      query(text, values) {
        if (!/^\s*select list, revision, listed from list_revision/.test(text)) reads += 1;
        return database.query(text, values);
      },
    };
    const pages = new PageCache(new ListStamps(watched));
    desk = new SearchDesk({ database: watched, box: secretBox(randomBytes(32)), pages });
  });

  async function readsOf(search: Search, times: number): Promise<number> {
    const before = reads;
    for (let n = 0; n < times; n += 1) await desk.find(caller, search);
    return reads - before;
  }

  test('the third call reads no row', async () => {
    expect(await readsOf(firstPage, 2)).toBeGreaterThan(0);
    expect(await readsOf(firstPage, 10)).toBe(0);
    expect((await desk.find(caller, firstPage)).total).toBe(12);
  });

  test('follow what another process writes, withdraws and says of CVEs', async () => {
    const plain = new SearchDesk({ database, box: secretBox(randomBytes(32)) });
    const isCurrent = async () => {
      const found = await desk.find(caller, firstPage);
      expect(found).toEqual(await plain.find(caller, firstPage));
      return found;
    };
    await readsOf(firstPage, 3);
    await writeRecords(database, errata, [rowOf(3, 'another title'), rowOf(99)]);
    expect((await isCurrent()).total).toBe(13);
    await readsOf(firstPage, 3);
    const added = await database.query(
      `select id from ${errata.key} where bulletin_id = 'ALSA-99'`,
    );
    const gone = added.rows.map(({ id }) => Number(id));
    await withdrawRecords(database, errata, gone);
    expect((await isCurrent()).total).toBe(12);
    await readsOf(firstPage, 3);
    await database.query("update list_revision set revision = revision + 1 where list = 'risk'");
    expect(await readsOf(firstPage, 1)).toBeGreaterThan(0);
  });

  test('differ by order, place, size, words and conditions', async () => {
    await readsOf(firstPage, 3);
    const others = [
      readSearch(errata, { offset: 0, size: 5, sort: '-title' }, {}),
      readSearch(errata, { offset: 5, size: 5 }, {}),
      readSearch(errata, { offset: 0, size: 6 }, {}),
      readSearch(errata, { offset: 0, size: 5 }, { keyword: 'title' }),
      readSearch(errata, { offset: 0, size: 5 }, { filter: "bulletinId = 'ALSA-1'" }),
    ];
    for (const other of others) expect(await readsOf(other, 1)).toBeGreaterThan(0);
  });

  test('a search that fails is asked again', async () => {
    const cache = new PageCache(new ListStamps(database));
    const failing = () => Promise.reject(new Error('gone'));
    const page = { rows: '', total: 0 };
    for (let n = 0; n < 3; n += 1)
      await expect(cache.find(firstPage, failing)).rejects.toThrow('gone');
    await expect(cache.find(firstPage, () => Promise.resolve(page))).resolves.toEqual(page);
    await expect(cache.find(firstPage, failing)).resolves.toEqual(page);
  });

  test('pages with sealed values, and large ones, are not kept', async () => {
    const cache = new PageCache(new ListStamps(database));
    let found = 0;
    const find = (rows: string) => () => {
      found += 1;
      return Promise.resolve({ rows, total: 1 });
    };
    const sealed = readSearch(clients, { offset: 0, size: 5 }, {}, true);
    for (let n = 0; n < 3; n += 1) await cache.find(sealed, find(''));
    for (let n = 0; n < 3; n += 1) await cache.find(firstPage, find('x'.repeat(1_100_000)));
    expect(found).toBe(6);
  });
});
