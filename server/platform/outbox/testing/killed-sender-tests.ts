/** Kills processes between the commit of events and the end of their delivery. No event is lost, and repeated ones keep their id. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { CatalogueEvent } from '@patch/contract/operations/event-endpoints.ts';
import { expect, test } from 'vitest';
import { describeWithDatabase } from '../../../testing/databases.ts';
import { secretBox } from '../../secrets/secret-box.ts';
import { Receiver } from './receiver.ts';
import { addFailure, addWebhook } from './webhook-channel.ts';

const senderMain = fileURLToPath(new URL('sender-main.ts', import.meta.url));
const eventsPerKill = 3;
/** Longer than a lease, and than the first delays between attempts. */
const aheadPerStartMs = 20 * 60_000;

export function testKilledSenders(kills: number): void {
  describeWithDatabase('senders that are killed', (open) => {
    test(`lose no event of ${kills * eventsPerKill} over ${kills} kills`, async () => {
      const database = await open();
      const key = randomBytes(32);
      const receiver = new Receiver();
      await receiver.start();
      await addWebhook(database, secretBox(key), receiver.address());
      let starts = 0;
      const startProcess = () =>
        spawn(
          process.execPath,
          [senderMain, database.url, key.toString('hex'), String((starts += 1) * aheadPerStartMs)],
          { stdio: 'ignore' },
        );
      for (let kill = 0; kill < kills; kill += 1) {
        for (let n = 0; n < eventsPerKill; n += 1)
          await addFailure(database, `event ${kill * eventsPerKill + n}`);
        const sender = startProcess();
        // The receiver has the event, and its answer may or may not arrive before the end.
        const delayMs = kill % 4;
        receiver.answer = async (response) => {
          if (delayMs > 1) response.writeHead(204).end();
          setTimeout(() => sender.kill('SIGKILL'), delayMs * 2);
        };
        await once(sender, 'exit');
      }
      receiver.answer = (response) => void response.writeHead(204).end();
      const { received } = receiver;
      const killed = received.length;
      expect(killed).toBeGreaterThanOrEqual(kills);
      for (let attempt = 0; attempt < 3; attempt += 1) await once(startProcess(), 'exit');
      await receiver.stop();
      const events = received.map(({ body, headers }) => {
        const { id, data } = JSON.parse(body) as CatalogueEvent;
        expect(headers['webhook-id']).toBe(id);
        return { id, title: data.title };
      });
      const expected = Array.from({ length: kills * eventsPerKill }, (_, n) => `event ${n}`);
      expect([...new Set(events.map(({ title }) => title))].toSorted()).toEqual(
        expected.toSorted(),
      );
      // An event that arrived again has the id of before.
      expect(new Set(events.map(({ id }) => id)).size).toBe(expected.length);
      const { rows } = await database.query(
        "select count(*) filter (where state = 'sent') as sent, count(*) as total from outbox",
      );
      expect(rows).toEqual([{ sent: expected.length, total: expected.length }]);
    });
  });
}
