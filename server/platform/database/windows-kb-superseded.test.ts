/** What migration 158 makes of rows that a former version wrote. */
import { expect, test } from 'vitest';
import { describeWithDatabase } from '../../testing/databases.ts';
import { migratedBefore } from '../../testing/migrated-before.ts';
import { migrate } from './migrate.ts';

describeWithDatabase('a KB that another one replaces', (open) => {
  test('is marked by the KBs that its row names', async () => {
    const database = await open();
    await migratedBefore(database, '158');
    await database.script(`
      insert into patch_repository (natural_key, part, content_hash, created_time, updated_time, keyword, superseded_by)
      values ('old', 'msrc', 'x', 1, 1, '', 'KB2'), ('new', 'msrc', 'x', 1, 1, '', null);
    `);
    await migrate(database);
    expect(
      (await database.query('select natural_key, superseded from patch_repository order by id'))
        .rows,
    ).toEqual([
      { natural_key: 'old', superseded: true },
      { natural_key: 'new', superseded: false },
    ]);
  });
});
