import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultSettings } from '@patch/contract/operations/settings-endpoints.ts';
import type { SourceSettings } from '@patch/contract/sources/source-settings-endpoints.ts';
import type { Run } from '@patch/contract/sources/sync-endpoints.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Database } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { writeSettings } from '../../platform/settings/settings-store.ts';
import { openMigrated } from '../../testing/databases.ts';
import { DocumentCache } from '../fetching/document-cache.ts';
import { Fetcher } from '../fetching/fetcher.ts';
import { httpUpstream } from '../fetching/http-upstream.ts';
import { openEntry, readPendingEntries } from '../parts/quarantine-store.ts';
import { readNewestRuns, readRunsPage } from '../runs/run-history-store.ts';
import { addRun, takeRun } from '../runs/run-store.ts';
import { saveSettings, standardSettings } from '../sources/source-setting-store.ts';
import { buildQuarantineEntry } from '../testing/build-quarantine-entry.ts';
import { type SlowMirror, startSlowMirror } from '../testing/slow-mirror.ts';
import { type SmallRecord, smallFeed } from '../testing/small-feed.ts';
import { runSource } from './run-source.ts';

describe('runSource', () => {
  let database: Database;
  let folder: string;
  let cache: DocumentCache;
  let mirror: SlowMirror;
  let complaints: unknown[];
  let logged: { level: string; words: string; facts: Record<string, unknown> }[];

  beforeEach(async () => {
    complaints = [];
    logged = [];
    database = await openMigrated();
    folder = await mkdtemp(join(tmpdir(), 'run-source-'));
    cache = new DocumentCache(join(folder, 'cache'));
    await cache.prepare();
    mirror = await startSlowMirror({ one: records('A'), two: records('B'), three: records('C') });
  });
  afterEach(async () => {
    mirror.close();
    await database.close();
    await rm(folder, { recursive: true });
    if (complaints.length > 0) throw new Error(`Complaints in the log: ${complaints.join(', ')}`);
  });

  const records = (...ids: string[]): SmallRecord[] => ids.map((id) => ({ id, title: id }));
  const set = (settings: Partial<SourceSettings>) =>
    saveSettings(
      database,
      'almaLinux',
      { ...standardSettings, leftOut: [], added: [], ...settings },
      'admin',
      Date.now(),
    );

  /** Runs the queued run, or adds one as the schedule does. */
  async function run({ mirrorSettled = true } = {}): Promise<Run | null> {
    await addRun(database, 'almaLinux', 'schedule', Date.now());
    const taken = await takeRun(database, null, Date.now());
    if (taken === null) throw new Error('No run is queued');
    const upstream = httpUpstream(mirror.url);
    await runSource(
      {
        database,
        feeds: { almaLinux: smallFeed },
        fetcher: new Fetcher(upstream, cache),
        environmentMirror: mirrorSettled ? mirror.url : null,
        cache,
        spoolFolder: join(folder, 'spool'),
        keysFolder: join(folder, 'keys'),
        running: new Map(),
        onRunning: () => undefined,
        log: (level, words, facts = {}) => {
          logged.push({ level, words, facts });
          if (level === 'error') complaints.push(words, facts);
        },
      },
      taken,
    );
    upstream.close();
    return (await readNewestRuns(database)).get('almaLinux') ?? null;
  }

  async function listed(): Promise<string[]> {
    const rows = await queryRows(
      database,
      z.object({ key: z.string() }),
      'select natural_key as key from almalinux_patch where withdrawn_time is null order by natural_key',
    );
    return rows.map(({ key }) => key);
  }

  test('reads the parts of the feed without settings', async () => {
    expect(await run()).toMatchObject({ state: 'succeeded', startedBy: 'schedule' });
    expect(await listed()).toEqual(['A', 'B']);
  });

  test('logs each decision once with its source, its run and a duration', async () => {
    const first = await run();
    const about = { source: 'almaLinux', run: first?.id, ms: expect.any(Number) };
    const of = (name: string) =>
      logged.filter(({ words }) => words === name).map(({ facts }) => facts);
    expect(new Set(logged.map(({ level, words }) => `${level}: ${words}`))).toEqual(
      new Set([
        'info: a sync began',
        'debug: a document was received',
        'debug: a part was read',
        'debug: content was reviewed',
        'debug: a batch was written',
        'debug: missing records were judged',
        'info: a sync ended',
      ]),
    );
    expect(of('a part was read')).toEqual(
      ['one', 'two'].map((part) => ({
        ...about,
        part,
        reason: 'it was never read',
        documents: 1,
        entries: 1,
      })),
    );
    expect(of('a document was received')).toMatchObject(
      ['one', 'two'].map((part) => ({ ...about, part, isUnchanged: false })),
    );
    expect(of('a batch was written')).toMatchObject(
      ['one', 'two'].map((part) => ({ ...about, part, records: 1, changes: 1 })),
    );
    expect(of('a sync ended')).toMatchObject([{ ...about, state: 'succeeded', added: 2 }]);
    logged = [];
    mirror.parts['two'] = records('B', 'C');
    await run();
    expect(of('a part was skipped')).toMatchObject([
      { part: 'one', reason: 'nothing has changed' },
    ]);
    expect(of('a part was read')).toMatchObject([
      { part: 'two', reason: 'documents have changed', entries: 2 },
    ]);
    expect(of('a document was received')).toMatchObject([
      { part: 'one', isUnchanged: true },
      { part: 'two', isUnchanged: false },
    ]);
  });

  test('skips an excluded part and keeps its rows', async () => {
    await run();
    mirror.parts['one'] = records('A', 'A2');
    mirror.parts['two'] = records('B2');
    await set({ leftOut: ['two'] });
    expect(await run()).toMatchObject({ state: 'succeeded', added: 1, withdrawn: 0 });
    expect(await listed()).toEqual(['A', 'A2', 'B']);
    await set({});
    await run();
    expect(await listed()).toEqual(['A', 'A2', 'B2']);
  });

  test('reads an added part, and ignores unknown keys and those of the feed', async () => {
    await set({ added: ['three', 'two', 'of an older version'] });
    expect(await run()).toMatchObject({ state: 'succeeded', added: 3 });
    expect(await listed()).toEqual(['A', 'B', 'C']);
  });

  test('reads the mirror of the source without conditions of the general mirror', async () => {
    await run();
    const own = await startSlowMirror({ one: records('A', 'X'), two: records('B') });
    await set({ mirror: own.url });
    expect(await run()).toMatchObject({ state: 'succeeded', added: 1, warnings: [] });
    expect(await listed()).toEqual(['A', 'B', 'X']);
    own.close();
  });

  test('reads the mirror of the settings when neither the environment nor the source sets one', async () => {
    const general = await startSlowMirror({ one: records('G'), two: records('H') });
    await writeSettings(database, { ...defaultSettings, feedMirror: general.url });
    expect(await run({ mirrorSettled: false })).toMatchObject({ state: 'succeeded' });
    expect(await listed()).toEqual(['G', 'H']);
    await run();
    expect(await listed()).toEqual(['A', 'B']);
    general.close();
  });

  test('keeps the number of runs in the settings', async () => {
    await writeSettings(database, { ...defaultSettings, runsKept: 10 });
    for (let made = 0; made < 13; made++) await run();
    expect((await readRunsPage(database, 'almaLinux', 0, 100)).runs).toHaveLength(10);
  });

  test('runs what was queued before the source was disabled', async () => {
    const queued = await addRun(database, 'almaLinux', 'admin', Date.now());
    await set({ enabled: false });
    expect(await run()).toMatchObject({ id: queued?.id, state: 'succeeded' });
  });

  test('uses the share of rows in the settings', async () => {
    mirror.parts['one'] = records(...Array.from({ length: 20 }, (_, index) => `M${index}`));
    await run();
    mirror.parts['one'] = records('M0');
    await set({ shrinkageShare: 94 });
    expect(await run()).toMatchObject({ state: 'succeeded_with_warnings', withdrawn: 0 });
    await set({ shrinkageShare: 95 });
    expect(await run()).toMatchObject({ state: 'succeeded', withdrawn: 19 });
  });

  test('fails when no part is followed, and removes the quarantine of excluded parts', async () => {
    for (const source of ['almaLinux', 'rockyLinux'] as const)
      await openEntry(database, buildQuarantineEntry({ source, part: 'two' }), new Map());
    await set({ leftOut: ['one', 'two'] });
    expect(await run()).toMatchObject({
      state: 'failed',
      message: { code: 'nothing_followed' },
    });
    expect([...(await readPendingEntries(database)).keys()]).toEqual(['rockyLinux']);
  });
});
