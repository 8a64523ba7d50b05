/** What migration 140 makes of rows that a former version wrote. */
import { expect, test } from 'vitest';
import { describeWithDatabase } from '../../testing/databases.ts';
import { migratedBefore } from '../../testing/migrated-before.ts';
import { migrate } from './migrate.ts';

describeWithDatabase('the dates of advisories', (open) => {
  test('move from the details into the rows, withdrawn ones too', async () => {
    const database = await open();
    await migratedBefore(database, '140');
    await database.script(`
      insert into debian_patch (natural_key, part, content_hash, created_time, updated_time, withdrawn_time, keyword)
      values ('dated', 'DSA', 'x', 1, 1, null, ''), ('undated', 'DSA', 'x', 1, 1, null, ''), ('gone', 'DSA', 'x', 1, 1, 2, '');
      insert into entry_detail (list, row_id, detail) values
        ('debian_patch', 1, '{"releaseDate": 1679702400000, "cve": ["CVE-2022-42331"]}'),
        ('debian_patch', 2, '{"releaseDate": null}'),
        ('debian_patch', 3, '{"releaseDate": 951868800000}'),
        ('thirdparty_patch', 1, '{"releaseDate": 5}');
    `);
    await migrate(database);
    const { rows } = await database.query(
      'select natural_key, release_date from debian_patch order by id',
    );
    expect(rows).toEqual([
      { natural_key: 'dated', release_date: 1_679_702_400_000 },
      { natural_key: 'undated', release_date: null },
      { natural_key: 'gone', release_date: 951_868_800_000 },
    ]);
    const { rows: details } = await database.query(
      'select list, detail from entry_detail order by list, row_id',
    );
    expect(details).toEqual([
      { list: 'debian_patch', detail: { cve: ['CVE-2022-42331'] } },
      { list: 'debian_patch', detail: {} },
      { list: 'debian_patch', detail: {} },
      { list: 'thirdparty_patch', detail: { releaseDate: 5 } },
    ]);
  });
});
