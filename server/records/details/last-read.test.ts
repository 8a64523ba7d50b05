/** Facts of a record with the time at which a part of its feed was last read. */
import { getList } from '@patch/catalogue/lists.ts';
import { beforeEach, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeRecords } from '../../testing/record-factories.ts';
import { readDetail } from './detail-store.ts';

describeWithDatabase('readDetail', (open) => {
  let database: Database;
  beforeEach(async () => {
    database = await open();
  });
  const read = (part: string, at: number) =>
    database.query(
      'insert into feed_part (source, part, feed_version, read_time) values ($1, $2, 1, $3)',
      ['wsus', part, at],
    );

  test.each(['patch_repository', 'kb_repository', 'patch'] as const)(
    'returns for %s the time at which the guide that decides the state was read',
    async (key) => {
      const list = getList(key);
      const record = { key: 'KB1', row: { kbId: 'KB1', superseded: false } };
      const id = (await writeRecords(database, list, [record])).get('KB1') ?? 0;
      expect((await readDetail(database, list, id))?.['stateReadAt']).toBeNull();
      await read('offline-scan', 2000);
      await read('msrc', 1000);
      expect((await readDetail(database, list, id))?.['stateReadAt']).toBe(1000);
    },
  );
});
