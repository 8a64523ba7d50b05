/** Records that were listed again before migration 158 get the time of their return from the change log. */
import { expect, test } from 'vitest';
import { addChanges } from '../../../ingest/runs/run-record-store.ts';
import { describeWithDatabase } from '../../../testing/databases.ts';
import { migrateBefore } from '../../../testing/earlier-database.ts';
import { addEndedRun } from '../../../testing/factories.ts';
import { migrate } from './migrate.ts';

describeWithDatabase('records that were listed again', (openFresh) => {
  test('have the time of their last return, others keep theirs', async () => {
    const database = await openFresh();
    await migrateBefore(database, 158);
    await database.script(`
      insert into stored_record (list, natural_key, part, content_hash, created_time, updated_time, withdrawn_time, own) values
        ('almalinux_patch', 'returned', '', '', 1, 1, null, '{}'), ('almalinux_patch', 'changed', '', '', 1, 9, null, '{}'),
        ('almalinux_patch', 'gone', '', '', 1, 1, 7, '{}'), ('almalinux_patch', 'listed', '', '', 1, 1, null, '{}')`);
    const { rows } = await database.query('select id, natural_key from stored_record order by id');
    const note = async (time: number, name: string, kind: 'returned' | 'changed') => {
      const run = await addEndedRun(database, 'almaLinux', time);
      const rowId = Number(rows.find((row) => row['natural_key'] === name)?.['id']);
      const change = { list: 'almalinux_patch', rowId, identity: name, kind, fields: {} } as const;
      await addChanges(database, run, [change]);
    };
    await note(4, 'returned', 'returned');
    await note(5, 'returned', 'returned');
    await note(6, 'changed', 'returned');
    await note(6, 'gone', 'returned');
    await note(8, 'listed', 'changed');
    await migrate(database);
    const times = await database.query('select natural_key, updated_time from stored_record');
    const byName = Object.fromEntries(
      times.rows.map((row) => [row['natural_key'], Number(row['updated_time'])]),
    );
    expect(byName).toEqual({ returned: 5, changed: 9, gone: 1, listed: 1 });
  });
});
