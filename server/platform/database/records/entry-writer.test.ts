import { getList } from '@patch/catalogue/lists.ts';
import { beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { describeWithDatabase } from '../../../testing/databases.ts';
import type { Database } from '../database.ts';
import { queryRows } from '../query-rows.ts';
import { contentHash } from '../rows/content-hash.ts';
import { maxFoldedLineLength } from '../rows/list-columns.ts';
import { withdraw, writeEntries } from './entry-writer.ts';
import { findListedKeys, readKeysOfPart } from './listed-keys-store.ts';

const list = getList('almalinux_patch');

const entry = (
  key: string,
  row: Record<string, unknown> = {},
  detail: Record<string, unknown> = {},
) => {
  const fullRow = { title: `${key} update`, bulletinId: key, ...row };
  return { key, row: fullRow, detail, contentHash: contentHash(fullRow, detail) };
};

describeWithDatabase('writeEntries', (open) => {
  let database: Database;
  beforeEach(async () => {
    database = await open();
  });
  const write = (entries: ReturnType<typeof entry>[], now = 1, part = 'p') =>
    database.transaction((tx) => writeEntries(tx, list, part, entries, now));
  const stored = async () =>
    (await database.query(`select * from ${list.key} order by natural_key`)).rows;
  const revision = async () =>
    (await database.query('select revision, listed from list_revision where list = $1', [list.key]))
      .rows[0];

  test('adds new entries and skips unchanged ones', async () => {
    const added = await write([entry('A'), entry('B', { severity: 'Critical' })]);
    expect(added.map(({ key, kind, identity }) => [key, kind, identity])).toEqual([
      ['A', 'added', 'A'],
      ['B', 'added', 'B'],
    ]);
    expect(added[1]?.is?.row).toMatchObject({
      title: 'B update',
      severity: 'Critical',
      category: null,
    });
    expect(await revision()).toEqual({ revision: 1, listed: 2 });
    expect(await write([entry('A'), entry('B', { severity: 'Critical' })], 2)).toEqual([]);
    expect(await revision()).toEqual({ revision: 1, listed: 2 });
    expect(await stored()).toMatchObject([
      { updated_time: 1 },
      { updated_time: 1, severity_rank: 5 },
    ]);
  });

  test('rewrites changed entries and reports their former content', async () => {
    const [added] = await write([entry('A', { severity: 'Low' }, { cve: ['CVE-1'] })]);
    const [changed, ...others] = await write(
      [entry('A', { severity: 'Critical' }, { cve: ['CVE-1', 'CVE-2'] })],
      5,
    );
    expect(others).toEqual([]);
    expect(changed).toMatchObject({
      rowId: added?.rowId,
      kind: 'changed',
      was: { row: { severity: 'Low' }, detail: { cve: ['CVE-1'] } },
      is: { row: { severity: 'Critical' }, detail: { cve: ['CVE-1', 'CVE-2'] } },
    });
    expect(await stored()).toMatchObject([{ created_time: 1, updated_time: 5, severity_rank: 5 }]);
    expect((await database.query('select detail from stored_record')).rows).toEqual([
      { detail: { cve: ['CVE-1', 'CVE-2'] } },
    ]);
    expect(await revision()).toEqual({ revision: 2, listed: 1 });
  });

  test('retains withdrawn rows and lists them again on return', async () => {
    const [a, b] = await write([entry('A'), entry('B')]);
    const gone = await database.transaction((tx) => withdraw(tx, list, [a?.rowId ?? 0], 7));
    expect(gone).toEqual([{ rowId: a?.rowId, key: 'A', kind: 'withdrawn', identity: 'A' }]);
    expect(await database.transaction((tx) => withdraw(tx, list, [a?.rowId ?? 0], 8))).toEqual([]);
    expect(await revision()).toEqual({ revision: 2, listed: 1 });
    expect([...(await readKeysOfPart(database, list, 'p'))]).toEqual([['B', b?.rowId]]);
    expect(await findListedKeys(database, list, ['A', 'B', 'C'])).toEqual(new Set(['B']));

    const [returned] = await write([entry('A')], 9);
    expect(returned).toMatchObject({ rowId: a?.rowId, kind: 'returned' });
    expect(await stored()).toMatchObject([{ withdrawn_time: null, updated_time: 9 }, {}]);
    expect(await revision()).toEqual({ revision: 3, listed: 2 });
  });

  test('moves a row to the part that lists it now, without a change', async () => {
    await write([entry('A')]);
    expect(await write([entry('A')], 2, 'q')).toEqual([]);
    expect([...(await readKeysOfPart(database, list, 'p')).keys()]).toEqual([]);
    expect([...(await readKeysOfPart(database, list, 'q')).keys()]).toEqual(['A']);
  });

  test('stores any text of a vendor', async () => {
    const odd = `quote " ' back\\slash {brace} NULL \u0000nul é İ 𝄞 line\nbreak`;
    const long = 'ä𝄞'.repeat(3000);
    const [first] = await write([
      entry(
        odd.replace('\u0000', ''),
        { title: odd, binaryPkgName: [odd, '', 'b'], osVersion: [] },
        { description: odd, [`k"'`]: [null, 1.5] },
      ),
      entry('long', {
        title: long,
        binaryPkgName: Array.from({ length: 4000 }, (_, n) => `package-${n}`),
      }),
    ]);
    expect(first?.is?.row).toMatchObject({
      title: odd.replace('\u0000', ''),
      binaryPkgName: [odd.replace('\u0000', '').replace('\n', ' '), 'b'],
      osVersion: null,
    });
    const [oddRow, longRow] = (await stored()).toSorted(
      (a, b) => Number(a['id']) - Number(b['id']),
    );
    expect(oddRow).toMatchObject({
      title: odd.replace('\u0000', ''),
      title_folded: odd
        .replace('\u0000', '')
        .normalize('NFC')
        .toLowerCase()
        .replace('i\u0307', 'i'),
    });
    expect(longRow).toMatchObject({ title: long });
    expect(Buffer.byteLength(String(longRow?.['title_folded']))).toBeLessThanOrEqual(
      maxFoldedLineLength,
    );
    expect(String(longRow?.['title_folded']).isWellFormed()).toBe(true);
    expect(long.toLowerCase().startsWith(String(longRow?.['title_folded']))).toBe(true);
    const rows = await queryRows(
      database,
      z.object({ detail: z.unknown() }),
      'select detail from stored_record where id = $1',
      [first?.rowId],
    );
    expect(rows[0]?.detail).toEqual({
      description: odd.replace('\u0000', ''),
      [`k"'`]: [null, 1.5],
    });
  });

  test('writes no entry of a batch when one fails', async () => {
    await expect(write([entry('A'), entry('A')])).rejects.toMatchObject({ code: '23505' });
    expect(await stored()).toEqual([]);
    expect(await revision()).toEqual({ revision: 0, listed: 0 });
  });
});
