/** What migration 290 makes of words that a former version folded. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { expect, test } from 'vitest';
import { describeOnDatabases } from '../../testing/databases.ts';
import { migratedBefore } from '../../testing/migrated-before.ts';
import { migrate } from './migrate.ts';

const written = [
  'İstanbul şubesi',
  'Işık',
  'Straße',
  'ΟΔΟΣ ς',
  'oﬃce ﬆ ſ',
  'I\u0307\u0323 ı\u0307 ﬃ\u0307',
  'Plain é',
];
const formerly = (text: string) => text.normalize('NFC').toLowerCase();

describeOnDatabases('words that were folded before', (open) => {
  test('are what the service folds now', async () => {
    const database = await open();
    await migratedBefore(database, '290');
    for (const [index, text] of written.entries())
      await database.query(
        `insert into almalinux_patch (natural_key, part, content_hash, created_time, updated_time, keyword, title, title_folded, binary_pkg_name, binary_pkg_name_folded, binary_pkg_name_start)
         values ($1, 'part', 'x', 1, 1, $3, $2, $3, $2, $3, $3)`,
        [String(index), text, formerly(text)],
      );
    await database.query(
      `insert into users (name, name_folded, email, email_folded, user_type, password_hash, must_change_password, created_time) values
         ('Işık', 'ışık', 'a@b.example', 'a@b.example', 'Standard', 'x', false, 1), ('işik', 'işik', 'c@b.example', 'c@b.example', 'Standard', 'x', false, 1)`,
    );
    await migrate(database);
    const { rows } = await database.query(
      'select keyword, title_folded, binary_pkg_name_folded, binary_pkg_name_start from almalinux_patch order by id',
    );
    expect(rows).toEqual(
      written.map((text) => ({
        keyword: fold(text),
        title_folded: fold(text),
        binary_pkg_name_folded: fold(text),
        binary_pkg_name_start: fold(text),
      })),
    );
    expect((await database.query('select name_folded from users order by id')).rows).toEqual([
      { name_folded: 'ışık' },
      { name_folded: 'işik' },
    ]);
  });
});
