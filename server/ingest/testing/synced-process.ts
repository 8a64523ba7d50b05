/** Starts a sync in a process with its own embedded database, which the test kills: synced-process.ts <dataDir> <mirror>. */
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { NotificationListener } from '../../platform/database/notifications.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { openDatabase } from '../../platform/database/schema/open-database.ts';
import { startSync } from '../sync/start-sync.ts';

const [dataDir = '', feedMirror = ''] = process.argv.slice(2);
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const database = await openDatabase({
  dataDir,
  databaseUrl: null,
});
const sync = await startSync({
  database,
  notifications: new NotificationListener({ url: database.url }),
  config: { dataDir, databaseUrl: null, feedMirror, role: 'all' },
  log: quiet as never,
  feedsModule: new URL('./small-feeds.ts', import.meta.url).href,
});
const run = await sync.start('almaLinux', 'admin');
for (;;) {
  const rows = await queryRows(
    database,
    z.object({ added: z.number() }),
    'select added from sync_run where id = $1',
    [run.id],
  );
  process.stdout.write(`${rows[0]?.added}\n`);
  await pause(50);
}
