import { getList } from '@patch/catalogue/lists.ts';
import { beforeEach, expect, test } from 'vitest';
import { describeWithDatabase } from '../../../testing/databases.ts';
import type { Database } from '../database.ts';
import { contentHash } from '../rows/content-hash.ts';
import { type ConclusionToWrite, writeConclusions } from './conclusion-writer.ts';
import { withdraw, writeEntries } from './entry-writer.ts';
import { readKnownRows, readRecordContents } from './stored-record.ts';

const list = getList('kb_repository');

/** An entry of the scan file: current, without a CVE. */
const entry = (key: string, title = key) => {
  const row = { title, kbId: 'KB5000001', superseded: false, severity: 'Low' as const };
  const detail = { cve: [], ownSuperseded: false };
  return { key, row, detail, contentHash: contentHash(row, detail) };
};

const conclusion = (key: string, values: ConclusionToWrite['values']) => ({
  key,
  values,
  hash: contentHash({}, values),
});

const superseded = { superseded: true, cve: ['CVE-2024-1'] };

describeWithDatabase('writeConclusions', (open) => {
  let database: Database;
  beforeEach(async () => {
    database = await open();
    await write(entry('A'), entry('B'));
  });
  const write = (...entries: ReturnType<typeof entry>[]) =>
    database.transaction((tx) => writeEntries(tx, list, 'scan', entries, 1));
  const conclude = (...conclusions: ConclusionToWrite[]) =>
    database.transaction((tx) => writeConclusions(tx, list, conclusions, 2));
  const stored = async (key: string) => {
    const row = (await readKnownRows(database, list, [key])).get(key);
    const content = (await readRecordContents(database, list, [row?.id ?? 0])).get(row?.id ?? 0);
    return { part: row?.part, ...content?.row, ...content?.detail };
  };

  test('replaces the values of the other part once', async () => {
    const changes = await conclude(conclusion('A', superseded));
    expect(changes.map(({ key, kind }) => [key, kind])).toEqual([['A', 'changed']]);
    expect(await stored('A')).toMatchObject({
      part: 'scan',
      title: 'A',
      ...superseded,
      ownSuperseded: false,
    });
    expect(await conclude(conclusion('A', superseded))).toEqual([]);
    expect(await stored('B')).toMatchObject({ superseded: false, cve: [] });
  });

  test('survives when the other part writes the record again, without counting as a change', async () => {
    await conclude(conclusion('A', superseded));
    expect(await write(entry('A'))).toEqual([]);
    await write(entry('A', 'another title'));
    expect(await stored('A')).toMatchObject({ title: 'another title', ...superseded });
    expect(await write(entry('A', 'another title'))).toEqual([]);
  });

  test('replaces an earlier conclusion', async () => {
    await conclude(conclusion('A', superseded));
    await conclude(conclusion('A', { superseded: null, cve: [] }));
    expect(await stored('A')).toMatchObject({ superseded: null, cve: [] });
  });

  test('reports no change for values that the record has already', async () => {
    expect(await conclude(conclusion('A', { superseded: false, severity: 'Low' }))).toEqual([]);
    await write(entry('A', 'another title'));
    expect(await stored('A')).toMatchObject({ title: 'another title', superseded: false });
  });

  test('skips records that are not listed', async () => {
    const ids = await readKnownRows(database, list, ['B']);
    await database.transaction((tx) => withdraw(tx, list, [ids.get('B')?.id ?? 0], 2));
    expect(await conclude(conclusion('B', superseded), conclusion('C', superseded))).toEqual([]);
  });
});
