import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { publishEvents } from '../../platform/events/event-store.ts';
import { createLog } from '../../platform/logging/logging.ts';
import { startOutboxSender } from '../../platform/outbox/outbox-sender.ts';
import { Receiver } from '../../platform/outbox/testing/receiver.ts';
import { addFailure, addWebhook } from '../../platform/outbox/testing/webhook-channel.ts';
import { secretBox } from '../../platform/secrets/secret-box.ts';
import { describeWithDatabase, openEmpty } from '../../testing/databases.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { dumpSigner, writeDumpFile } from './database-dump.ts';
import { withSnapshot } from './dumped-tables-store.ts';
import { restoreDump } from './restore-dump.ts';

const box = secretBox(Buffer.alloc(32, 5));
const signer = dumpSigner(Buffer.alloc(32, 7));
const folder = temporaryFolder();

const deliverAll = async (database: Database) => {
  const log = createLog('fatal', { write: () => undefined });
  const sender = startOutboxSender({ database, box, log, channelTargets: ['127.0.0.1'] });
  await sender.sendDue();
  await sender.stop();
};

describeWithDatabase('a delivery that waits when the database is dumped', (open) => {
  test('is sent once by the restored service, with the id that the original sends', async () => {
    const database = await open();
    const receiver = new Receiver();
    await receiver.start();
    await addWebhook(database, box, receiver.address());
    await addFailure(database, 'delivered before');
    await deliverAll(database);
    await addFailure(database, 'waits');
    await publishEvents(database);
    const path = join(folder, 'waiting.sql.gz');
    await withSnapshot(database, (session) => writeDumpFile(session, path, 0, signer));
    const copy = await openEmpty();
    const trust = { publicKeys: [signer.publicKey], acceptUnsigned: false };
    await restoreDump({ database: copy, path, trust, replace: false });
    receiver.received.length = 0;
    await deliverAll(copy);
    await deliverAll(copy);
    const [restored, ...others] = receiver.received;
    expect(others).toEqual([]);
    expect(restored?.body).toContain('"waits"');
    // The original sends it too, and receivers recognize the id.
    await deliverAll(database);
    expect(receiver.received[1]?.headers['webhook-id']).toBe(restored?.headers['webhook-id']);
    expect(receiver.received).toHaveLength(2);
    await copy.close();
    await receiver.stop();
  });
});
