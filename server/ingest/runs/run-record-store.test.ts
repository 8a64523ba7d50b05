/** The change log of a run has one change for each record, even if several parts of the feed change it. */
import type { RunChange } from '@patch/contract/sources/run-endpoints.ts';
import { beforeEach, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { addChanges, addFurtherChanges, readChangesPage } from './run-record-store.ts';
import { addRun } from './run-store.ts';

const change = (
  rowId: number,
  kind: RunChange['kind'],
  fields: RunChange['fields'] = {},
): Omit<RunChange, 'id'> => ({ list: 'patch', rowId, identity: `KB${rowId}`, kind, fields });

describeWithDatabase('change log of a run', (open) => {
  let database: Database;
  let runId: number;
  beforeEach(async () => {
    database = await open();
    runId = (await addRun(database, 'wsus', 'tester', 1))?.id ?? 0;
  });

  test('merges changes of a record that the run has changed before', async () => {
    await addChanges(database, runId, [
      change(1, 'added'),
      change(2, 'changed', { title: { was: 'a', is: 'b' }, superseded: { was: null, is: false } }),
    ]);
    const counted = await addFurtherChanges(database, runId, [
      change(1, 'changed', { superseded: { was: false, is: true } }),
      change(2, 'changed', { superseded: { was: false, is: true }, cve: { was: [], is: ['C'] } }),
      change(3, 'changed', { superseded: { was: false, is: true } }),
    ]);
    expect(counted).toBe(1);
    const { rows, total } = await readChangesPage(database, runId, 0, 10);
    expect(total).toBe(3);
    expect(
      rows.map(({ list, rowId, identity, kind, fields }) => ({
        list,
        rowId,
        identity,
        kind,
        fields,
      })),
    ).toEqual([
      change(1, 'added'),
      change(2, 'changed', {
        title: { was: 'a', is: 'b' },
        superseded: { was: null, is: true },
        cve: { was: [], is: ['C'] },
      }),
      change(3, 'changed', { superseded: { was: false, is: true } }),
    ]);
  });

  test('separates changes by run and list', async () => {
    await addChanges(database, runId, [
      change(1, 'changed'),
      { ...change(2, 'changed'), list: 'kb_repository' },
    ]);
    const other = (await addRun(database, 'almaLinux', 'tester', 1))?.id ?? 0;
    expect(await addFurtherChanges(database, other, [change(1, 'changed')])).toBe(1);
    expect(await addFurtherChanges(database, runId, [change(2, 'changed')])).toBe(1);
    expect(await addFurtherChanges(database, runId, [])).toBe(0);
  });
});
