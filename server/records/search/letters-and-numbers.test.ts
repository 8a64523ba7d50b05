/** Case folding of searches, and the natural order of identifiers and versions. */
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { contentHash } from '../../platform/database/content-hash.ts';
import type { Database } from '../../platform/database/database.ts';
import { writeEntries } from '../../platform/database/entry-writer.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { readSearch } from '../criteria/search-request.ts';
import { SearchStore } from './search-store.ts';

const titles = ['İstanbul şubesi', 'Işık', 'Güvenlik', 'Straße', 'Other'];
const identifiers = ['ALSA-2024:1075', 'ALSA-2024:10702', 'ALSA-2023:999', 'ALSA-2023:1000', null];
const versions = ['1.10', '1.9', '1.9~rc1', '1:0.1', '1.10-1+b1'];

describeWithDatabase('case folding and natural order', (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
    await write('almalinux_patch', (n) => ({ title: titles[n], bulletinId: identifiers[n] }));
    await write('linux_patch_repository', (n) => ({
      binaryPkgName: 'bash',
      binaryPkgVersion: versions[n],
    }));
  });

  async function write(
    key: ListKey,
    rowOf: (n: number) => Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const entries = titles.map((_, n) => {
      const row = rowOf(n);
      return { key: String(n), row, detail: {}, contentHash: contentHash(row, {}) };
    });
    await database.transaction((tx) => writeEntries(tx, getList(key), 'part', entries as never, 0));
  }

  /** Reads the values of a field in pages of two rows. */
  async function readValues(key: ListKey, field: string, body: object, sort?: string) {
    const values: unknown[] = [];
    const store = new SearchStore(database);
    for (let offset = 0; ; offset += 2) {
      const search = readSearch(getList(key), { offset, size: 2, sort }, body);
      const { rows, total } = await store.find(search);
      const found = z.array(z.looseObject({})).parse(JSON.parse(`[${rows}]`));
      values.push(...found.map((row) => row[field]));
      if (offset + 2 >= total) return values;
    }
  }

  test.each([
    ['istanbul', 'İstanbul şubesi'],
    ['ISTANBUL', 'İstanbul şubesi'],
    ['İSTANBUL ŞUBESİ', 'İstanbul şubesi'],
    ['IŞIK', 'Işık'],
    ['GÜVENLİK', 'Güvenlik'],
    ['STRASSE', 'Straße'],
  ])('finds with %s the title %s', async (typed, title) => {
    const filters = [
      { keyword: typed },
      { filter: `lower(title) like '%${typed}%'` },
      { filter: `lower(title) in ('${title}')` },
    ];
    for (const body of filters)
      expect(await readValues('almalinux_patch', 'title', body)).toEqual([title]);
  });

  test('sorts identifiers by their numbers, and rows without an identifier last', async () => {
    const inOrder = ['ALSA-2023:999', 'ALSA-2023:1000', 'ALSA-2024:1075', 'ALSA-2024:10702'];
    const sorted = (sort: string) => readValues('almalinux_patch', 'bulletinId', {}, sort);
    expect(await sorted('bulletinId')).toEqual([...inOrder, null]);
    expect(await sorted('-bulletinId')).toEqual([...inOrder.toReversed(), null]);
  });

  test('sorts versions as dpkg compares them', async () => {
    expect(
      await readValues('linux_patch_repository', 'binaryPkgVersion', {}, 'binaryPkgVersion'),
    ).toEqual(['1.9~rc1', '1.9', '1.10', '1.10-1+b1', '1:0.1']);
  });
});
