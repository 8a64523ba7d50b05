import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import { type ListKey, listOfKey } from '@patch/catalogue/lists.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import type { RunChange } from '@patch/contract/run-endpoints.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openContentQuestion } from '../../ingest/sync/held-content-store.ts';
import { hold } from '../../ingest/sync/held-withdrawal-store.ts';
import { addChanges } from '../../ingest/sync/run-record-store.ts';
import { addRun, endRun, type RunEnd, takeRun } from '../../ingest/sync/run-store.ts';
import { nothingNew } from '../../ingest/sync/testing/nothing-new.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeTitled } from '../../testing/record-factories.ts';
import { type Alerts, startAlerts } from './start-alerts.ts';
import { day, hour, withAlertService } from './testing/alert-service.ts';

describeWithDatabase('the daily summary of syncs', (open) => {
  const service = withAlertService(open);
  let operator: string;
  let summaries: Alerts;

  beforeEach(async () => {
    operator = await service.app.tokenOf('operator');
    summaries = another();
  });
  afterEach(() => summaries.stop());

  const another = () =>
    startAlerts({
      box: service.app.box,
      database: service.app.database,
      feeds: {
        ...(vendorFeeds.almaLinux && { almaLinux: vendorFeeds.almaLinux }),
        ...(vendorFeeds.debian && { debian: vendorFeeds.debian }),
      },
      log: service.app.app.log as never,
      baseUrl: { settled: 'https://patch.example.org', usual: () => null },
      clock: () => service.now,
    });
  const save = (change: object = {}, token = operator) =>
    service.app.ask('PUT', '/syncsummary', {
      token,
      body: { enabled: true, hour: 8, timeZone: 'UTC', ...change },
    });
  async function mails() {
    await summaries.runDue();
    await service.sender.sendDue();
    return service.arrived();
  }

  async function ran(source: SourceKey, end: Partial<RunEnd> = {}): Promise<number> {
    const { database } = service.app;
    const run = await addRun(database, source, 'schedule', service.now);
    await takeRun(database, run?.id ?? 0, service.now);
    const counts = { added: 0, changed: 0, withdrawn: 0, unchanged: 0, rejected: 0 };
    await endRun(
      database,
      run?.id ?? 0,
      { state: 'succeeded', message: nothingNew, warnings: [], ...counts, ...end },
      service.now,
    );
    return run?.id ?? 0;
  }

  test('is enabled and disabled by each administrator for themselves', async () => {
    const read = async () =>
      (await service.app.ask('GET', '/syncsummary', { token: operator })).json;
    expect(await read()).toEqual({ enabled: false, hour: 7, nextAt: null, mailConfigured: true });
    expect(await save({ hour: 6, timeZone: 'Europe/Istanbul' })).toMatchObject({
      status: 200,
      json: { enabled: true, hour: 6 },
    });
    expect(await read()).toEqual({
      enabled: true,
      hour: 6,
      nextAt: Date.UTC(2026, 10, 21, 3),
      mailConfigured: true,
    });
    service.toHour(2);
    expect(await mails()).toEqual([]);
    service.toHour(3);
    expect((await mails()).map(({ to }) => to)).toEqual(['Operator@example.org']);
    operator = await service.app.tokenOf('operator');
    await save({ enabled: false });
    expect(await read()).toMatchObject({ enabled: false });
    service.app.now += 3 * day;
    expect(await mails()).toEqual([]);
  });

  /** Records and content of AlmaLinux 9 wait for a decision since this run. */
  async function quarantine(runId: number) {
    const { database } = service.app;
    await hold(database, {
      source: 'almaLinux',
      part: '9',
      list: 'almalinux_patch',
      partLabel: 'AlmaLinux 9',
      known: 100,
      missing: 60,
      examples: [],
      runId,
      heldAt: service.now,
      missingHash: 'x',
    });
    await openContentQuestion(
      database,
      {
        source: 'almaLinux',
        part: '9',
        list: 'almalinux_patch',
        partLabel: 'AlmaLinux 9',
        records: 3,
        compared: 400,
        losses: [],
        examples: [],
        runId,
        heldAt: service.now,
      },
      [],
    );
  }

  test('tells what the runs of a day did, failures with their reasons, what waits, and what is not fresh', async () => {
    await save();
    await ran('debian', { added: 900 });
    service.app.now += 2 * day;
    await ran('almaLinux', { added: 5, changed: 2, withdrawn: 1 });
    service.app.now += hour;
    const failed = await ran('almaLinux', {
      state: 'failed',
      message: { code: 'text', params: { text: 'repo.almalinux.org answered <503>\nTry later.' } },
      added: 1,
    });
    await quarantine(failed);
    service.toHour(8);
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail?.subject).toBe(
      'Patch Repository: 2 runs, 1 failed, 1 source not fresh, a decision is needed',
    );
    expect(mail?.text.replaceAll(/\n +/g, '\n').replaceAll(/\n\n+/g, '\n')).toBe(
      `In the last 24 hours 2 runs: 6 added, 2 changed, 1 withdrawn.
Failures
--------
* AlmaLinux
Nov 23, 2026, 01:00 UTC, failed: repo.almalinux.org answered <503> Try later.
https://patch.example.org/patch-repository/sync?source=almaLinux
Waiting for a decision
----------------------
* AlmaLinux
AlmaLinux 9: 60 of 100 records are no longer listed
AlmaLinux 9: 3 of 400 records would lose content
https://patch.example.org/patch-repository/sync?source=almaLinux
Sources that are not fresh
--------------------------
* Debian
Not synced for 2 days
Last successful sync: Nov 21, 2026, 00:00 UTC
https://patch.example.org/patch-repository/sync?source=debian
All sources
-----------
* Debian
Last run: succeeded, Nov 21, 2026, 00:00 UTC
No run in 24 hours
https://patch.example.org/patch-repository/sync?source=debian
* AlmaLinux
Last run: failed, Nov 23, 2026, 01:00 UTC
In 24 hours: 6 added, 2 changed, 1 withdrawn
https://patch.example.org/patch-repository/sync?source=almaLinux
Syncs:
https://patch.example.org/patch-repository/sync
Patch Repository sends this daily because you enabled it in your account.`,
    );
    expect(mail?.html).toContain('failed: repo.almalinux.org answered &lt;503&gt; Try later.');
  });

  test('names a silent vendor whose source is synced, with its newest record and usual interval', async () => {
    const { database } = service.app;
    await save();
    const dates = [40, 42, 44, 47].map((days) => service.app.now - days * day);
    await writeTitled(database, listOfKey('almalinux_patch'), ['older'], {
      releaseDate: dates[3],
    });
    for (const [place, releaseDate] of dates.entries())
      await writeTitled(database, listOfKey('almalinux_patch'), [`ALSA-2026:${place}`], {
        releaseDate,
      });
    await ran('debian');
    await ran('almaLinux');
    service.toHour(8);
    const [mail] = await mails();
    expect(mail?.subject).toBe('Patch Repository: 2 runs, 1 source not fresh');
    expect(mail?.text.replaceAll(/\n +/g, '\n')).toContain(`* AlmaLinux
Silent for 40 days, usually every 2 days
Last successful sync: Nov 21, 2026, 00:00 UTC
Newest record: ALSA-2026:0, Oct 12, 2026; new records usually every 2 days, by its last 4 days with records
`);
    expect(mail?.text).not.toContain('rhythm unknown');
  });

  test('counts a changed KB once, however many records name it', async () => {
    const { database } = service.app;
    await save();
    const kb = async (list: ListKey, key: string, kbId: string | null) =>
      [...(await writeTitled(database, listOfKey(list), [key], { kbId })).values()][0] ?? 0;
    const changed = (list: ListKey, kind: RunChange['kind'], ids: readonly number[]) =>
      ids.map((rowId) => ({ list, rowId, identity: 'KB', kind, fields: {} }));
    const run = await ran('wsus', { added: 6, changed: 1 });
    await addChanges(database, run, [
      ...changed('patch_repository', 'added', [
        await kb('patch_repository', 'a', 'KB1'),
        await kb('patch_repository', 'b', 'KB1'),
      ]),
      ...changed('kb_repository', 'returned', [await kb('kb_repository', 'a', 'kb1')]),
      ...changed('patch', 'added', [
        await kb('patch', 'a', 'KB2'),
        await kb('patch', 'b', null),
        await kb('patch', 'c', null),
      ]),
      ...changed('patch_repository', 'changed', [await kb('patch_repository', 'c', 'KB1')]),
    ]);
    await ran('almaLinux', { added: 3 });
    service.toHour(8);
    const [mail] = await mails();
    const text = mail?.text.replaceAll(/\n +/g, '\n') ?? '';
    expect(text).toContain(
      'In the last 24 hours 2 runs: 7 added, 1 changed, 0 withdrawn, each update counted once; 10 records in all.',
    );
    expect(text).toContain(
      '* AlmaLinux\nLast run: succeeded, Nov 21, 2026, 00:00 UTC\nIn 24 hours: 3 added, 0 changed, 0 withdrawn\n',
    );
  });

  test('is sent even if nothing ran, and says so', async () => {
    await save();
    service.toHour(8);
    const [mail] = await mails();
    expect(mail?.subject).toBe('Patch Repository: nothing was synced, 2 sources not fresh');
    expect(mail?.text).toContain('Nothing was synced in the last 24 hours.');
    expect(mail?.text).toContain('Never synced successfully');
  });

  test('is sent once a day by one process, and only to current administrators', async () => {
    await save();
    service.toHour(8);
    const others = [another(), another()];
    await Promise.all([summaries, ...others].map((alerts) => alerts.runDue()));
    expect(await mails()).toHaveLength(1);
    await Promise.all(others.map((alerts) => alerts.stop()));
    service.app.now += 23 * hour;
    expect(await mails()).toEqual([]);
    service.toHour(8);
    expect(await mails()).toHaveLength(1);
    await service.app.database.query(
      "update users set user_type = 'Standard' where name = 'Operator'",
    );
    service.toHour(8);
    expect(await mails()).toEqual([]);
  });
});
