/** The form of a page, and totals that are counted again after a change; random-searches.test.ts has what is found. */
import { listOfKey } from '@patch/catalogue/lists.ts';
import { beforeEach, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { withdrawRecords, writeRows } from '../../testing/record-factories.ts';
import { readSearch } from '../criteria/search-request.ts';
import { SearchStore } from './search-store.ts';

const errata = listOfKey('almalinux_patch');

describeWithDatabase('the search store', (open) => {
  let database: Database;
  beforeEach(async () => {
    database = await open();
  });

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
    const [id] = await writeRows(database, errata, [row]);
    const search = readSearch(errata, { offset: 0, size: 1 }, {});
    const { rows, total } = await new SearchStore(database).find(search);
    expect(total).toBe(1);
    expect(JSON.parse(rows)).toEqual({ id, ...row, exploited: null, epss: null, cvss: null });
    expect(Object.keys(JSON.parse(rows) as object)).toEqual(['id', ...Object.keys(errata.fields)]);
  });

  test('counts a total again once its list has changed', async () => {
    const store = new SearchStore(database);
    const filter = "lower(title) like '%brandnew%'";
    const total = async () =>
      (await store.find(readSearch(errata, { offset: 0, size: 1 }, { filter }))).total;
    expect(await total()).toBe(0);
    const ids = await writeRows(database, errata, [
      { title: 'brandnew thing', bulletinId: 'NEW-1' },
    ]);
    expect([await total(), await total()]).toEqual([1, 1]);
    await withdrawRecords(database, errata, ids);
    expect(await total()).toBe(0);
  });
});
