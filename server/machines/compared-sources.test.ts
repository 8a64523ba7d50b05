/** The day and the age of the data that a machine was compared with, also when a part of the source could not be read. */

import { vendorFeeds } from '@patch/catalogue/feeds.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { freshnessText } from '@patch/contract/sources/source-freshness.ts';
import { beforeEach, expect, test } from 'vitest';
import { recordPartRead } from '../ingest/parts/feed-part-store.ts';
import { openEntry } from '../ingest/parts/quarantine-store.ts';
import { noRemarks } from '../ingest/parts/standing-remarks.ts';
import { ReleaseHistories } from '../ingest/sources/release-histories.ts';
import { readSourceStates } from '../ingest/sources/source-states.ts';
import { buildQuarantineEntry } from '../ingest/testing/build-quarantine-entry.ts';
import type { Database } from '../platform/database/database.ts';
import { describeWithDatabase } from '../testing/databases.ts';
import { writeRecords } from '../testing/record-factories.ts';
import { compareSources } from './compared-sources.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 10, 20);

describeWithDatabase('compared sources', (open) => {
  let database: Database;
  beforeEach(async () => {
    database = await open();
  });

  const run = (source: SourceKey, startedAt: number) =>
    database.query(
      `insert into sync_run (source, state, started_by, queued_time, started_time, ended_time, heartbeat_time)
       values ($1, 'succeeded_with_warnings', 'tester', $2::bigint, $2::bigint, $2::bigint + 1000, $2::bigint)`,
      [source, startedAt],
    );
  const partRead = (source: SourceKey, part: string, at: number) =>
    recordPartRead(
      database,
      source,
      part,
      { feedVersion: 1, documents: [], isComplete: true, remarks: noRemarks, remember: undefined },
      at,
    );
  const kb = (key: string, releaseDate: number) => ({ key, row: { kbId: key, releaseDate } });
  const compareWindows = async (at = now) =>
    (
      await compareSources({ database, clock: () => at }, [
        { list: 'patch_repository', part: 'msrc' },
      ])
    )[0];

  test('have the age of the part that the last runs could not read', async () => {
    await run('wsus', now - day);
    await partRead('wsus', 'offline-scan', now - day + 500);
    await partRead('wsus', 'msrc', now - 9 * day);
    expect(await compareWindows()).toMatchObject({
      lastSuccessAt: now - day + 1000,
      concern: 'Security update guide not read for 9 days',
    });
    await partRead('wsus', 'msrc', now - day + 700);
    expect(await compareWindows()).toMatchObject({
      lastSuccessAt: now - day + 1000,
      concern: null,
    });
  });

  test('have the age of the run when a part waits for a decision', async () => {
    await run('wsus', now - day);
    await partRead('wsus', 'msrc', now - 9 * day);
    await openEntry(
      database,
      buildQuarantineEntry({ source: 'wsus', part: 'msrc', list: 'patch_repository' }),
      new Map([['all', '1']]),
    );
    expect(await compareWindows()).toMatchObject({ lastSuccessAt: now - day + 1000 });
  });

  test('reach up to the newest record of the compared list only', async () => {
    await run('wsus', now - day);
    await writeRecords(database, 'patch_repository', [kb('KB1', now - 40 * day)]);
    await writeRecords(database, 'kb_repository', [kb('KB2', now - 2 * day)]);
    // Histories are cached for some seconds.
    expect((await compareWindows(now + 60_000))?.upTo).toBe(now - 40 * day);
  });

  test('have the age of the part of the release', async () => {
    await run('almaLinux', now - day);
    await partRead('almaLinux', '8', now - 30 * day);
    await partRead('almaLinux', '9', now - day + 500);
    const ages = await Promise.all(
      ['8', '9', null].map((part) =>
        compareSources({ database, clock: () => now }, [{ list: 'almalinux_patch', part }]),
      ),
    );
    expect(ages.map(([found]) => found?.concern)).toEqual([
      'AlmaLinux 8 not read for 30 days',
      null,
      'AlmaLinux 8 not read for 30 days',
    ]);
  });

  test('have the same text on the dashboard and in an assessment', async () => {
    const onDashboard = async (source: SourceKey) => {
      const histories = new ReleaseHistories(database);
      const parts = { database, feeds: vendorFeeds, clock: () => now, histories };
      const [state] = await readSourceStates(parts, [source]);
      return state === undefined ? null : freshnessText(state, now);
    };
    await run('wsus', now - day);
    await partRead('wsus', 'offline-scan', now - day + 500);
    await partRead('wsus', 'msrc', now - day + 500);
    const guide = [169, 197, 225].map((ago) => kb(`KB${ago}`, now - ago * day));
    await writeRecords(database, 'patch_repository', guide);
    await writeRecords(database, 'kb_repository', [kb('KB2267602', now - 2 * day)]);
    // Histories of the same revisions are cached for an hour.
    expect((await compareWindows(now + 3_600_000))?.concern).toBe(
      'Silent for 169 days, usually every 28 days',
    );
    expect(await onDashboard('wsus')).toBe(
      'Patch repository silent for 169 days, usually every 28 days',
    );
    await partRead('wsus', 'msrc', now - 9 * day);
    expect(await onDashboard('wsus')).toBe('Security update guide not read for 9 days');
    expect((await compareWindows())?.concern).toBe(await onDashboard('wsus'));
  });

  test('have the age of their import, which reads no parts', async () => {
    await run('almaLinux', now - 20 * day);
    await partRead('almaLinux', '9', now - 20 * day + 500);
    await run('almaLinux', now - day);
    const [found] = await compareSources({ database, clock: () => now }, [
      { list: 'almalinux_patch', part: '9' },
    ]);
    expect(found).toMatchObject({ lastSuccessAt: now - day + 1000, concern: null });
  });
});
