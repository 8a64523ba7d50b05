/** What migrations 166 to 169 make of rows that a former version wrote. */
import { expect, test } from 'vitest';
import { describeWithDatabase } from '../../testing/databases.ts';
import { migratedBefore } from '../../testing/migrated-before.ts';
import { migrate } from './migrate.ts';

const again = expect.stringMatching(/^again-[\da-f]{32}$/);

describeWithDatabase('the patch names of openSUSE', (open) => {
  test('come from the natural keys, of withdrawn rows too; listed errata are written once more', async () => {
    const database = await open();
    await migratedBefore(database, '166');
    await database.script(`
      insert into opensuse_patch (natural_key, part, content_hash, created_time, updated_time, withdrawn_time, keyword)
      values ('15.6:openSUSE-2024-150', '15.6', 'x', 1, 1, null, ''), ('15.3:openSUSE-SLE-15.3-2021-91', '15.3', 'x', 1, 1, 2, '');
      insert into almalinux_patch (natural_key, part, content_hash, created_time, updated_time, withdrawn_time, keyword)
      values ('8:ALSA-2024:1', '8', 'x', 1, 1, null, ''), ('8:ALSA-2024:2', '8', 'x', 1, 1, null, ''), ('8:ALSA-2024:3', '8', 'x', 1, 1, 2, '');
      insert into entry_detail (list, row_id, detail) values ('almalinux_patch', 2, '{"status": "final"}');
    `);
    await migrate(database);
    const { rows } = await database.query(
      'select patch_name, patch_name_folded, content_hash from opensuse_patch order by id',
    );
    expect(rows).toEqual([
      {
        patch_name: 'openSUSE-2024-150',
        patch_name_folded: 'opensuse-2024-150',
        content_hash: again,
      },
      {
        patch_name: 'openSUSE-SLE-15.3-2021-91',
        patch_name_folded: 'opensuse-sle-15.3-2021-91',
        content_hash: 'x',
      },
    ]);
    const { rows: errata } = await database.query(
      'select content_hash, updated_time from almalinux_patch order by id',
    );
    expect(errata).toEqual([
      { content_hash: again, updated_time: 1 },
      { content_hash: again, updated_time: 1 },
      { content_hash: 'x', updated_time: 1 },
    ]);
    // Two repositories take rows of different content for different ones.
    expect(errata[0]?.['content_hash']).not.toBe(errata[1]?.['content_hash']);
  });
});
