import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import type { ListKey } from '@patch/catalogue/lists.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import type { RunChange } from '@patch/contract/sources/run-endpoints.ts';
import { beforeEach, expect, test } from 'vitest';
import { day, hour } from '../../identity/sign-in/testing/sign-in-app.ts';
import { openEntry } from '../../ingest/parts/quarantine-store.ts';
import { addChanges } from '../../ingest/runs/run-record-store.ts';
import type { RunEnd } from '../../ingest/runs/run-store.ts';
import { buildQuarantineEntry } from '../../ingest/testing/build-quarantine-entry.ts';
import { addEndedRun } from '../../testing/factories.ts';
import { writeRecords, writeTitled } from '../../testing/record-factories.ts';
import type { Alerts } from './start-alerts.ts';
import { describeAlerts } from './testing/alert-service.ts';

const { almaLinux, debian } = vendorFeeds;
const feeds = { ...(almaLinux && { almaLinux }), ...(debian && { debian }) };

describeAlerts('daily sync summary', (service) => {
  const { app } = service;
  const { operator } = app;
  let summaries: Alerts;
  beforeEach(() => {
    summaries = startAnother();
  });

  const startAnother = () => service.startAnother('https://patch.example.org', feeds);
  const save = (change: object = {}) =>
    operator.put('/syncsummary', { enabled: true, hour: 8, timeZone: 'UTC', ...change });
  async function mails() {
    await summaries.runDue();
    await service.sender.sendDue();
    return service.arrived();
  }
  const unfold = (text = '') => text.replaceAll(/\n +/g, '\n');
  const ran = (source: SourceKey, end: Partial<RunEnd> = {}) =>
    addEndedRun(app.database, source, service.now, end);

  test('is enabled and disabled by each administrator for themselves', async () => {
    const read = () => operator.get('/syncsummary').json;
    expect(await read()).toEqual({ enabled: false, hour: 7, nextAt: null, mailConfigured: true });
    const enabled = { enabled: true, hour: 6 };
    expect(await save({ hour: 6, timeZone: 'Europe/Istanbul' }).json).toMatchObject(enabled);
    const nextAt = Date.UTC(2026, 10, 21, 3);
    expect(await read()).toEqual({ ...enabled, nextAt, mailConfigured: true });
    service.toHour(2);
    expect(await mails()).toEqual([]);
    service.toHour(3);
    expect((await mails()).map(({ to }) => to)).toEqual(['Operator@example.org']);
    await save({ enabled: false });
    expect(await read()).toMatchObject({ enabled: false });
    app.now += 3 * day;
    expect(await mails()).toEqual([]);
  });

  /** Quarantines records and content of AlmaLinux 9 since this run. */
  async function quarantine(runId: number) {
    const part = { source: 'almaLinux', part: '9', list: 'almalinux_patch' } as const;
    const met = { partLabel: 'AlmaLinux 9', runId, quarantinedAt: service.now };
    for (const counts of [
      { reason: 'records_missing', records: 60, known: 100 },
      { reason: 'content_lost', records: 3, known: 400 },
    ] as const)
      await openEntry(
        app.database,
        buildQuarantineEntry({ ...part, ...met, ...counts }),
        new Map(),
      );
  }

  test("describes the day's runs, failures with reasons, quarantined parts, and sources that are not fresh", async () => {
    await save();
    await ran('debian', { added: 900 });
    app.now += 2 * day;
    await ran('almaLinux', { added: 5, changed: 2, withdrawn: 1 });
    app.now += hour;
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
    expect(unfold(mail?.text).replaceAll(/\n\n+/g, '\n')).toBe(
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

  test('lists a silent vendor whose source is synced, with its newest record and usual interval', async () => {
    await save();
    const dates = [40, 42, 44, 47].map((days) => service.now - days * day);
    await writeTitled(app.database, 'almalinux_patch', ['older'], { releaseDate: dates[3] });
    for (const [index, releaseDate] of dates.entries())
      await writeTitled(app.database, 'almalinux_patch', [`ALSA-2026:${index}`], { releaseDate });
    await ran('debian');
    await ran('almaLinux');
    service.toHour(8);
    const [mail] = await mails();
    expect(mail?.subject).toBe('Patch Repository: 2 runs, 1 source not fresh');
    expect(unfold(mail?.text)).toContain(`* AlmaLinux
Silent for 40 days, usually every 2 days
Last successful sync: Nov 21, 2026, 00:00 UTC
Newest record: ALSA-2026:0, Oct 12, 2026; new records usually every 2 days, by its last 4 days with records
`);
    expect(mail?.text).not.toContain('rhythm unknown');
  });

  test('counts a changed KB once, however many records name it', async () => {
    await save();
    const run = await ran('wsus', { added: 6, changed: 1 });
    const changed = async (list: ListKey, kind: RunChange['kind'], ...kbs: (string | null)[]) => {
      const records = kbs.map((kbId, n) => ({ key: `${kind} ${n}`, row: { kbId } }));
      const ids = [...(await writeRecords(app.database, list, records)).values()];
      await addChanges(
        app.database,
        run,
        ids.map((rowId) => ({ list, rowId, identity: 'KB', kind, fields: {} })),
      );
    };
    await changed('patch_repository', 'added', 'KB1', 'KB1');
    await changed('kb_repository', 'returned', 'kb1');
    await changed('patch', 'added', 'KB2', null, null);
    await changed('patch_repository', 'changed', 'KB1');
    await ran('almaLinux', { added: 3 });
    service.toHour(8);
    const [mail] = await mails();
    expect(mail?.text).toContain(
      'In the last 24 hours 2 runs: 7 added, 1 changed, 0 withdrawn, each update counted once; 10 records in all.',
    );
    expect(unfold(mail?.text)).toContain(
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
    const all = [summaries, startAnother(), startAnother()];
    await Promise.all(all.map((alerts) => alerts.runDue()));
    expect(await mails()).toHaveLength(1);
    app.now += 23 * hour;
    expect(await mails()).toEqual([]);
    service.toHour(8);
    expect(await mails()).toHaveLength(1);
    await app.database.query("update users set user_type = 'Standard' where name = 'Operator'");
    service.toHour(8);
    expect(await mails()).toEqual([]);
  });
});
