import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { openOnce } from '../../testing/databases.ts';
import { addMail } from '../mail/mail-outbox-store.ts';
import { writeSetting } from '../settings/settings-store.ts';
import type { Database } from './database.ts';
import { type Channel, NotificationListener, type NotificationOptions } from './notifications.ts';
import { queryRows } from './query-rows.ts';
import type { OpenDatabase } from './schema/open-database.ts';

const open = openOnce();
let database: OpenDatabase;
let listener: NotificationListener;
let lost: string[];

beforeEach(async () => {
  database = await open();
  lost = [];
});
afterEach(() => listener.close());

/** A poll interval longer than any test, so that only notifications cause calls. */
const neverMs = 3_600_000;

function listen(times: Partial<NonNullable<NotificationOptions['times']>> = {}): void {
  listener = new NotificationListener({
    url: database.url,
    onLost: ({ message }) => void lost.push(message),
    times: { pollMs: neverMs, retryMs: { first: 10, most: 40 }, answerMs: 10_000, ...times },
  });
}

/** Counts calls after the first one, which shows that the connection listens. */
async function countCalls(channels: readonly Channel[], minGapMs?: number) {
  let calls = 0;
  const end = listener.subscribe(channels, () => void (calls += 1), minGapMs);
  await expect.poll(() => calls).toBeGreaterThan(0);
  const first = calls;
  return { count: () => calls - first, end };
}

const mail = { kind: 'Test', recipient: 'ada@example.org', subject: 'Patches', body: '-' };
const queueMail = () => addMail(database, mail, 0);
const saveSettings = (name: string, on: Pick<Database, 'query'> = database) =>
  writeSetting(on, 'general', { name });

/** Returns the process ids of listening connections on the server. */
async function listeningProcesses(): Promise<number[]> {
  const rows = await queryRows(
    database,
    z.object({ pid: z.number() }),
    `select pid from pg_stat_activity where datname = current_database() and (query like 'listen %' and pid <> pg_backend_pid() or query = 'select 1')`,
  );
  return rows.map(({ pid }) => pid);
}

test('calls only subscribers of the channel that a commit notifies', async () => {
  listen();
  const settings = await countCalls(['settings']);
  const mails = await countCalls(['outbox', 'downloads']);
  await queueMail();
  await expect.poll(mails.count).toBe(1);
  await saveSettings('Patches');
  await expect.poll(settings.count).toBe(1);
  expect(mails.count()).toBe(1);
});

test('calls nobody after a rollback, and once after a commit of many rows', async () => {
  listen();
  const settings = await countCalls(['settings']);
  const failed = database.transaction(async (tx) => {
    await saveSettings('Nothing', tx);
    throw new Error('taken back');
  });
  await expect(failed).rejects.toThrow('taken back');
  await database.transaction(async (tx) => {
    for (let n = 0; n < 5; n += 1) await saveSettings(`Patches ${n}`, tx);
  });
  await expect.poll(settings.count).toBe(1);
  const mails = await countCalls(['outbox']);
  await queueMail();
  await expect.poll(mails.count).toBe(1);
  expect(settings.count()).toBe(1);
});

test('joins commits within the gap into one call at its end', async () => {
  listen();
  const mails = await countCalls(['outbox'], 400);
  const settings = await countCalls(['settings']);
  for (let n = 0; n < 5; n += 1) await queueMail();
  await saveSettings('Patches');
  await expect.poll(settings.count).toBe(1);
  expect(mails.count()).toBe(0);
  await expect.poll(mails.count).toBe(1);
});

test('stops calling when the subscription ends', async () => {
  listen();
  const former = await countCalls(['outbox']);
  former.end();
  const mails = await countCalls(['outbox']);
  await queueMail();
  await expect.poll(mails.count).toBe(1);
  expect(former.count()).toBe(0);
});

test('calls everybody when a lost connection is restored', async () => {
  listen();
  const mails = await countCalls(['outbox']);
  await database.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [
    `{${(await listeningProcesses()).join(',')}}`,
  ]);
  await expect.poll(mails.count).toBe(1);
  expect(lost).toEqual([expect.stringContaining('terminating connection')]);
  await queueMail();
  await expect.poll(mails.count).toBe(2);
});

test('reconnects when the connection silently stops answering', async () => {
  listen({ pollMs: 50, answerMs: 200 });
  await expect.poll(listeningProcesses).toHaveLength(1);
  const [silent] = await listeningProcesses();
  // A signal to process 0 would reach this process.
  if (silent === undefined) throw new Error('No connection listens');
  process.kill(silent, 'SIGSTOP');
  try {
    await expect.poll(() => lost).toEqual(['Query read timeout']);
    await expect
      .poll(async () => (await listeningProcesses()).some((pid) => pid !== silent))
      .toBe(true);
  } finally {
    process.kill(silent, 'SIGCONT');
  }
});

test('calls everybody regularly while the database cannot be reached', async () => {
  let calls = 0;
  listener = new NotificationListener({
    url: 'postgres://nobody@127.0.0.1:1/nothing',
    onLost: ({ message }) => void lost.push(message),
    times: { pollMs: 20, retryMs: { first: 5, most: 10 }, answerMs: 1000 },
  });
  listener.subscribe(['outbox'], () => void (calls += 1));
  await expect.poll(() => calls).toBeGreaterThan(2);
  expect(lost).toEqual([expect.stringContaining('ECONNREFUSED')]);
});

test('calls everybody regularly when notifications are lost', async () => {
  listen({ pollMs: 30 });
  const mails = await countCalls(['outbox']);
  await database.script('alter table outbox disable trigger outbox_notify');
  await queueMail();
  const before = mails.count();
  await expect.poll(mails.count).toBeGreaterThan(before);
});
