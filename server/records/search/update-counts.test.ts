import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import { beforeEach, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { withdrawRecords, writeRows } from '../../testing/record-factories.ts';
import { readSearch } from '../criteria/search-request.ts';
import { UpdateCounts } from './update-counts.ts';

describeWithDatabase('UpdateCounts', (openFresh) => {
  let database: Database;
  let counts: UpdateCounts;
  let statements: string[];

  beforeEach(async () => {
    database = await openFresh();
    statements = [];
    counts = new UpdateCounts({
      query: (text: string, values?: readonly unknown[]) => (
        statements.push(text), database.query(text, values)
      ),
    } as Database);
  });

  const write = (list: ListKey, rows: readonly Readonly<Record<string, unknown>>[]) =>
    writeRows(database, list, rows);
  const search = (list: ListKey, filter = '', keyword = '') =>
    readSearch(getList(list), { offset: 0, size: 1 }, { filter, keyword });
  const all = (filter = '') =>
    counts.count(
      (['patch_repository', 'kb_repository', 'patch'] as const).map((list) => search(list, filter)),
    );

  test('counts the distinct update ids of the records', async () => {
    let seed = 11;
    const chance = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const made = (many: number) =>
      Array.from({ length: many }, (_, n) => ({
        kbId: chance(5) === 0 ? null : `${chance(2) === 0 ? 'KB' : 'kb'}${chance(40)}`,
        severity: ['Critical', 'Low', null][chance(3)] ?? null,
        title: `${n}`,
      }));
    const rows = { patch_repository: made(300), kb_repository: made(80), patch: made(60) };
    for (const list of Object.keys(rows) as (keyof typeof rows)[]) await write(list, rows[list]);
    const getUpdateIds = (severity?: string) =>
      Object.entries(rows).flatMap(([list, of]) =>
        of.flatMap(({ kbId, severity: own, title }) =>
          severity === undefined || own === severity
            ? [kbId?.toLowerCase() ?? `${list} ${title}`]
            : [],
        ),
      );
    expect(await all()).toBe(new Set(getUpdateIds()).size);
    expect(await all("lower(severity) = 'critical'")).toBe(new Set(getUpdateIds('Critical')).size);
  });

  test('counts again after a change, and not before', async () => {
    const [first] = await write('kb_repository', [{ kbId: 'KB1' }, { kbId: 'KB2' }]);
    expect(await all()).toBe(2);
    const distinct = () => statements.filter((text) => text.includes(' union ')).length;
    await all();
    expect(distinct()).toBe(1);
    await withdrawRecords(database, 'kb_repository', [first]);
    expect(await all()).toBe(1);
    expect(distinct()).toBe(2);
  });

  test('counts records and updates of a search with a filter and a keyword', async () => {
    await write('patch_repository', [
      { kbId: 'KB5034441', name: 'a', productName: 'Windows 10' },
      { kbId: 'KB5034441', name: 'b', productName: 'Windows 11' },
      { kbId: 'KB5034442', name: 'c', productName: 'Windows 11' },
    ]);
    expect(await counts.countBoth(search('patch_repository'))).toEqual({
      totalCount: 3,
      updateCount: 2,
    });
    expect(await counts.countBoth(search('patch_repository', '', 'kb5034441'))).toEqual({
      totalCount: 2,
      updateCount: 1,
    });
    expect(
      await counts.countBoth(search('patch_repository', "lower(productName) = 'windows 11'")),
    ).toEqual({ totalCount: 2, updateCount: 2 });
    expect(await counts.countBoth(search('patch_repository', "lower(kbId) = 'kb0'"))).toEqual({
      totalCount: 0,
      updateCount: 0,
    });
  });

  test('counts the records of a list without updates', async () => {
    await write('almalinux_patch', [{ bulletinId: 'ALSA-1' }, { bulletinId: 'ALSA-1' }]);
    expect(await counts.countBoth(search('almalinux_patch'))).toEqual({
      totalCount: 2,
      updateCount: 2,
    });
    expect(await counts.count([search('almalinux_patch')])).toBe(2);
  });
});
