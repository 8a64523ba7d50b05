/**
 * Times stored before the machine's clock was set back a year block nothing. Sessions and the judgement of machines have tests of
 * their own.
 */
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { countAttempt } from '../identity/accounts/sign-in-attempt-store.ts';
import { addRun, interruptSilentRuns, readRun, takeRun } from '../ingest/runs/run-store.ts';
import { followSchedules } from '../ingest/sources/source-schedule-store.ts';
import {
  addJob,
  interruptJobs,
  readJob,
  takeJob,
} from '../operations/downloads/download-job-store.ts';
import type { Database } from '../platform/database/database.ts';
import { queryRows } from '../platform/database/query-rows.ts';
import { addMail } from '../platform/mail/mail-outbox-store.ts';
import { noteFailed, takeMail } from '../platform/outbox/outbox-store.ts';
import { isDailyDue } from '../reports/alerts/owner-zone.ts';
import { describeWithDatabase } from '../testing/databases.ts';
import { buildJob } from '../testing/factories.ts';

const now = Date.UTC(2026, 10, 20, 12);
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const ahead = now + 365 * day;

describeWithDatabase('after the clock was set back', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });
  beforeEach(() =>
    database.script('truncate outbox, sync_run, download_job, source_schedule cascade'),
  );

  test('ends a run of a dead process, but not one of a process whose clock is a minute ahead', async () => {
    const dead = await addRun(database, 'almaLinux', 'somebody', ahead);
    await takeRun(database, null, ahead);
    const alive = await addRun(database, 'debian', 'somebody', now);
    await takeRun(database, null, now + minute);
    await interruptSilentRuns(database, now, []);
    expect(await readRun(database, dead?.id ?? 0)).toMatchObject({ state: 'interrupted' });
    expect(await readRun(database, alive?.id ?? 0)).toMatchObject({ state: 'running' });
  });

  test('runs a source at its next time', async () => {
    const daily = new Map([['almaLinux', '0 3 * * *']] as const);
    expect(await followSchedules(database, daily, ahead)).toBeGreaterThan(ahead);
    expect(await followSchedules(database, daily, now)).toBe(Date.UTC(2026, 10, 21, 3));
  });

  test('interrupts a download of another dead process', async () => {
    const dead = await addJob(database, buildJob({ place: 'gone' }), ahead);
    await takeJob(database, 'gone', ahead);
    const alive = await addJob(database, buildJob({ place: 'other' }), now);
    await takeJob(database, 'other', now + minute);
    await interruptJobs(database, 'here', now, now + day);
    expect(await readJob(database, dead.id)).toMatchObject({ state: 'interrupted' });
    expect(await readJob(database, alive.id)).toMatchObject({ state: 'running' });
  });

  test('sends mails that were queued or tried before, and delays one that waits for its next try', async () => {
    const queue = (time: number) =>
      addMail(database, { kind: 'Test', recipient: 'a@example.org', subject: '', body: '' }, time);
    const take = async (time: number) => (await takeMail(database, time))?.id ?? null;
    const tried = await queue(ahead);
    expect(await take(ahead)).toBe(tried);
    await noteFailed(database, tried, 'refused', ahead + hour, ahead);
    expect(await take(now)).toBe(tried);
    await noteFailed(database, tried, 'refused', now + hour, now);
    const untried = await queue(now + hour);
    expect(await take(now)).toBe(untried);
    expect(await take(now)).toBeNull();
  });

  test('locks nobody out for earlier wrong passwords, and still counts five', async () => {
    const limits = { maxAttempts: 5, withinMs: 15 * minute };
    const attempt = (time: number) => countAttempt(database, 'account', 'network', time, limits);
    for (let turn = 0; turn < 5; turn += 1) expect(await attempt(ahead)).toBeNull();
    expect(await attempt(ahead)).toBe(ahead + 15 * minute);
    for (let turn = 0; turn < 5; turn += 1) expect(await attempt(now)).toBeNull();
    expect(await attempt(now)).toBe(now + 15 * minute);
    // A process whose clock is a minute behind deletes nothing.
    expect(await attempt(now - minute)).toBe(now + 15 * minute);
    const [row] = await queryRows(
      database,
      z.object({ tries: z.number() }),
      'select cardinality(tried_times) as tries from sign_in_attempts',
    );
    expect(row).toEqual({ tries: 5 });
  });

  test.each([
    ['is due', 'was sent a year ahead', ahead, true],
    ['is not due', 'was sent half an hour ahead, after its hour', now + 30 * minute, false],
    ['is not due', 'was sent after its hour', now - hour + 1, false],
    ['is due', 'was sent yesterday', now - day, true],
  ])('a daily mail %s that %s', (_due, _sent, sentAt, isDue) => {
    expect(isDailyDue(sentAt, 11, 'UTC', now)).toBe(isDue);
  });
});
