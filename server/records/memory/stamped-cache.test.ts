/** What was found in a list is found again when the list has changed. */
import { listOfKey } from '@patch/catalogue/lists.ts';
import { beforeEach, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeRecords } from '../../testing/record-factories.ts';
import { ListStamps } from './list-stamps.ts';
import { StampedCache } from './stamped-cache.ts';

const list = listOfKey('almalinux_patch');

describeWithDatabase('values kept by the stamp of their list', (open) => {
  let database: Database;
  let stamps: ListStamps;
  let found: number;
  const find = (value: string) => () => {
    found += 1;
    return Promise.resolve(value);
  };

  beforeEach(async () => {
    database = await open();
    stamps = new ListStamps(database);
    found = 0;
  });

  const write = (key: string) =>
    writeRecords(database, list, [{ key, row: { bulletinId: key, title: key, releaseDate: 1 } }]);

  test('are found once, until the list is written', async () => {
    const cache = new StampedCache<string>({ maxSize: 10, sizeOf: () => 1 });
    const ask = (value: string) => cache.find(stamps, { list, key: 'a' }, find(value));
    const { stamp, value } = await ask('first');
    expect(value).toBe('first');
    expect((await ask('not asked for')).value).toBe('first');
    await write('ALSA-1');
    expect(cache.get('a', await stamps.of(list))).toBeUndefined();
    expect((await ask('second')).value).toBe('second');
    expect(cache.get('a', stamp)).toBeUndefined();
    expect(found).toBe(2);
  });

  test('are found again when the list was written while they were found', async () => {
    const cache = new StampedCache<string>({ maxSize: 10, sizeOf: () => 1 });
    const ask = (work: () => Promise<string>) => cache.find(stamps, { list, key: 'a' }, work);
    await ask(async () => {
      await write('ALSA-1');
      return 'before or after';
    });
    expect((await ask(find('after'))).value).toBe('after');
  });

  test('are not kept when they fail, are too large, or have not been used for long', async () => {
    const cache = new StampedCache<string>({
      maxSize: 10,
      maxEntrySize: 5,
      sizeOf: (value) => value.length,
    });
    const ask = async (key: string, value: string) =>
      (await cache.find(stamps, { list, key }, find(value))).value;
    const failing = () => Promise.reject(new Error('gone'));
    await expect(cache.find(stamps, { list, key: 'a' }, failing)).rejects.toThrow('gone');
    expect(await ask('a', 'small')).toBe('small');
    await ask('large', 'larger');
    expect(await ask('large', 'other')).toBe('other');
    for (const key of ['b', 'c']) await ask(key, 'value');
    expect(await ask('a', 'again')).toBe('again');
  });
});
