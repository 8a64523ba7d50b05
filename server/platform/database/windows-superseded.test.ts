/** What migration 162 makes of rows that a former version wrote. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeWithDatabase } from '../../testing/databases.ts';
import { migratedBefore } from '../../testing/migrated-before.ts';
import { migrate } from './migrate.ts';
import { queryRows } from './query-rows.ts';

describeWithDatabase('what Windows Update replaces', (open) => {
  test('is marked in the rows by what the details name; the patch list says by whom under another name', async () => {
    const database = await open();
    await migratedBefore(database, '162');
    for (const list of ['kb_repository', 'patch'])
      await database.script(`
        insert into ${list} (natural_key, part, content_hash, created_time, updated_time, withdrawn_time, keyword)
        values ('old', 'p', 'x', 1, 1, null, ''), ('new', 'p', 'x', 1, 1, null, ''), ('bare', 'p', 'x', 1, 1, 2, '');
      `);
    await database.script(`
      insert into entry_detail (list, row_id, detail) values
        ('kb_repository', 1, '{"supersededBy": ["KB2"], "supersedes": []}'),
        ('kb_repository', 2, '{"supersededBy": []}'),
        ('kb_repository', 3, '{"supersededBy": null}'),
        ('patch', 1, '{"superseded": ["KB2"], "category": "Updates"}'),
        ('patch', 2, '{"superseded": []}'),
        ('patch', 3, '{}'),
        ('thirdparty_patch', 1, '{"superseded": ["KB2"]}');
    `);
    await migrate(database);
    const rowsOf = async (list: string) =>
      await queryRows(
        database,
        z.object({ natural_key: z.string(), superseded: z.boolean().nullable() }),
        `select natural_key, superseded from ${list} order by id`,
      );
    const expected = [
      { natural_key: 'old', superseded: true },
      { natural_key: 'new', superseded: false },
      { natural_key: 'bare', superseded: null },
    ];
    expect(await rowsOf('kb_repository')).toEqual(expected);
    expect(await rowsOf('patch')).toEqual(expected);
    const { rows } = await database.query(
      "select list, detail from entry_detail where list <> 'kb_repository' order by list, row_id",
    );
    expect(rows).toEqual([
      { list: 'patch', detail: { supersededBy: ['KB2'], category: 'Updates' } },
      { list: 'patch', detail: { supersededBy: [] } },
      { list: 'patch', detail: {} },
      { list: 'thirdparty_patch', detail: { superseded: ['KB2'] } },
    ]);
  });
});
