/** A process that sends what waits in the outbox, for tests that kill it. Its clock is ahead, so that leases of killed processes have ended. */
import { pino } from 'pino';
import { serverDatabase } from '../../database/server-database.ts';
import { secretBox } from '../../secrets/secret-box.ts';
import { startOutboxSender } from '../outbox-sender.ts';

const [url = '', key = '', aheadMs = '0'] = process.argv.slice(2);
const sender = startOutboxSender({
  database: serverDatabase({ url, connections: 4 }),
  box: secretBox(Buffer.from(key, 'hex')),
  log: pino({ level: 'silent' }),
  clock: () => Date.now() + Number(aheadMs),
  channelTargets: ['127.0.0.1'],
});
await sender.sendDue();
process.exit(0);
