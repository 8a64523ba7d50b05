import { randomBytes } from 'node:crypto';
import { defaultSettings } from '@patch/contract/settings-endpoints.ts';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { describeWithDatabase } from '../../testing/databases.ts';
import { startOutboxSender } from '../outbox/outbox-sender.ts';
import { noteSent } from '../outbox/outbox-store.ts';
import { secretBox } from '../secrets/secret-box.ts';
import { writeSettings } from '../settings/settings-store.ts';
import { addMail, deliveriesPage } from './mail-outbox-store.ts';

const day = 86_400_000;

describeWithDatabase('retention of mails', (open) => {
  test('removes sent mails after the configured days and never removes queued ones', async () => {
    const database = await open();
    let now = Date.UTC(2026, 10, 21);
    await writeSettings(database, { ...defaultSettings, mailsKeptDays: 10 });
    const mail = (subject: string) =>
      addMail(
        database,
        { kind: 'password_reset', recipient: 'ops@example.org', subject, body: 'words' },
        now,
      );
    const [early, late] = [await mail('early'), await mail('late')];
    await noteSent(database, early, now);
    await noteSent(database, late, now + 2 * day);
    const sender = startOutboxSender({
      database,
      box: secretBox(randomBytes(32)),
      log: pino({ level: 'silent' }),
      clock: () => now,
    });
    await sender.sendDue();
    await mail('waits');
    now += 11 * day;
    await sender.sendDue();
    await sender.stop();
    const { rows } = await deliveriesPage(database, 0, 10);
    expect(rows.map(({ subject }) => subject)).toEqual(['waits', 'late']);
  });
});
