import { getList } from '@patch/catalogue/lists.ts';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { describeWithDatabase } from '../../../testing/databases.ts';
import { withdrawRecords, writeRecords } from '../../../testing/record-factories.ts';
import type { Database } from '../database.ts';
import { queryRows } from '../query-rows.ts';
import { adoptFormerKeys, type RenamedEntry } from './former-keys.ts';

const list = getList('almalinux_patch');

describeWithDatabase('adoptFormerKeys', (open) => {
  let database: Database;
  let ids: ReadonlyMap<string, number>;

  beforeEach(async () => {
    database = await open();
    const row = { title: 'Title' };
    ids = await writeRecords(
      database,
      list,
      ['A', 'B', 'C'].map((key) => ({ key, row })),
    );
  });

  const adopt = (entries: readonly RenamedEntry[], ...claimed: string[]) =>
    database.transaction((tx) =>
      adoptFormerKeys(tx, list, entries, (key) => claimed.includes(key)),
    );
  const readKey = async (before: string) =>
    (
      await queryRows(
        database,
        z.object({ key: z.string() }),
        `select natural_key as key from ${list.key} where id = $1`,
        [ids.get(before)],
      )
    )[0]?.key;
  const withdrawRow = (key: string) => withdrawRecords(database, list, [ids.get(key)]);

  test('changes the key of a row, but not its id, content or revision', async () => {
    const before = (
      await database.query('select revision, listed from list_revision where list = $1', [list.key])
    ).rows;
    expect(await adopt([{ key: 'new "A"', formerKeys: ['older', 'A'] }])).toBe(1);
    expect(await readKey('A')).toBe('new "A"');
    expect(
      (
        await database.query('select revision, listed from list_revision where list = $1', [
          list.key,
        ])
      ).rows,
    ).toEqual(before);
    expect((await database.query('select list, key, row_id from feed_former_key')).rows).toEqual([
      { list: list.key, key: 'A', row_id: ids.get('A') },
    ]);
    expect(await adopt([{ key: 'new "A"', formerKeys: ['older', 'A'] }])).toBe(0);
  });

  test('prefers a listed row to a withdrawn one, and a withdrawn one to a new one', async () => {
    await withdrawRow('A');
    expect(await adopt([{ key: 'new', formerKeys: ['A', 'B'] }])).toBe(1);
    expect([await readKey('A'), await readKey('B')]).toEqual(['A', 'new']);
    expect(await adopt([{ key: 'newer', formerKeys: ['A'] }])).toBe(1);
    expect(await readKey('A')).toBe('newer');
  });

  test('leaves an entry with an existing key, withdrawn or not, at its row', async () => {
    await withdrawRow('B');
    expect(await adopt([{ key: 'B', formerKeys: ['A'] }])).toBe(0);
    expect(await readKey('A')).toBe('A');
  });

  test('leaves a row to the entry of the same reading that has its key', async () => {
    expect(await adopt([{ key: 'new', formerKeys: ['A', 'B'] }], 'A')).toBe(1);
    expect([await readKey('A'), await readKey('B')]).toEqual(['A', 'new']);
  });

  test('gives a row to the first of several entries with its key, and one row to each entry', async () => {
    expect(
      await adopt([
        { key: 'first', formerKeys: ['A', 'B'] },
        { key: 'second', formerKeys: ['A'] },
        { key: 'third', formerKeys: ['A', 'C'] },
      ]),
    ).toBe(2);
    expect([await readKey('A'), await readKey('B'), await readKey('C')]).toEqual([
      'first',
      'B',
      'third',
    ]);
  });
});
