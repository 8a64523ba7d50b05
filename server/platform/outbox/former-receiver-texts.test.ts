import { expect, test } from 'vitest';
import { describeWithDatabase } from '../../testing/databases.ts';
import { migrateBefore } from '../../testing/earlier-database.ts';
import { migrate } from '../database/schema/migrate.ts';

describeWithDatabase('texts of receivers from earlier versions', (openFresh) => {
  test('leave only the status in the database', async () => {
    const database = await openFresh();
    await migrateBefore(database, 95);
    const replied = 'The receiver replied 404: Cannot POST /services/T0/B0/s3cret: gone';
    await database.script(`
      insert into channel (kind, name, name_folded, shown_address, sealed_address, address_hash, types, created_time, problem) values
        ('slack', 'A', 'a', '', '', 'a', '[]', 1, 'All deliveries of a week failed. The last one: ${replied}'),
        ('slack', 'B', 'b', '', '', 'b', '[]', 1, 'b.example.org has no address.');
      insert into outbox (kind, recipient, subject, body, queued_time, next_time, channel_id, last_error) values
        ('', '', '', '', 1, 1, 1, '${replied}'),
        ('', '', '', '', 1, 1, 1, 'The delivery to a.example.org failed: Invalid /services/T0/B0/s3cret'),
        ('', '', '', '', 1, 1, 2, 'The receiver did not answer within 15 seconds.'),
        ('Channel', 'a@example.org', '', 'Off. ${replied}' || e'\\n\\nEvents are not sent.', 1, 1, null, 'The receiver replied 450: of mail');
    `);
    await migrate(database);
    const { rows: channels } = await database.query('select problem from channel order by id');
    expect(channels.map(({ problem }) => problem)).toEqual([
      'All deliveries of a week failed. The last one: The receiver replied 404',
      'b.example.org has no address.',
    ]);
    const { rows } = await database.query('select last_error, body from outbox order by id');
    expect(rows.map((row) => [row['last_error'], row['body']])).toEqual([
      ['The receiver replied 404', ''],
      ['The delivery to a.example.org failed', ''],
      ['The receiver did not answer within 15 seconds.', ''],
      [
        'The receiver replied 450: of mail',
        'Off. The receiver replied 404\n\nEvents are not sent.',
      ],
    ]);
  });
});
