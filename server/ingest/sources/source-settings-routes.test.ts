import type { Feed } from '@patch/catalogue/definition/feed.ts';
import { SourceSettingsReply } from '@patch/contract/sources/source-settings-endpoints.ts';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { appWithRoutes, ask } from '../../testing/app-with-routes.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import {
  openEntry,
  readPendingEntries,
  readQuarantinedChanges,
} from '../parts/quarantine-store.ts';
import { addRun, endRun, takeRun } from '../runs/run-store.ts';
import { quarantineRoutes } from '../sync/sync-routes.ts';
import { buildQuarantineEntry } from '../testing/build-quarantine-entry.ts';
import { nothingNew } from '../testing/nothing-new.ts';
import { smallFeed } from '../testing/small-feed.ts';
import { SyncBench } from '../testing/sync-bench.ts';
import { ReleaseHistories } from './release-histories.ts';
import { saveSettings, standardSettings } from './source-setting-store.ts';
import { sourceSettingsRoutes } from './source-settings-routes.ts';
import { readSourceStates } from './source-states.ts';

const { otherParts: _, ...closedFeed } = smallFeed;
const counts = { added: 0, changed: 0, withdrawn: 0, unchanged: 0, rejected: 0 };
const endedWell = { state: 'succeeded', message: nothingNew, warnings: [], ...counts } as const;

describeWithDatabase('source settings endpoints', (openFresh) => {
  const now = Date.parse('2026-11-20T10:00:00Z');
  const path = '/patchsync/sources/almaLinux/settings';
  const standard = {
    enabled: true,
    schedule: null,
    mirror: null,
    leftOut: [],
    added: [],
    shrinkageShare: 30,
  };
  const feeds: Partial<Record<string, Feed>> = { almaLinux: smallFeed, rockyLinux: closedFeed };
  let database: Database;
  let app: FastifyInstance;
  let logged: [object, string][];
  /** Changes of each action for the audit log. */
  let audited: unknown[];

  const start = async (feedMirror: string | null = null) => {
    const sync = {
      start: async (source: 'almaLinux', by: string) => {
        const run = await addRun(database, source, by, now);
        if (run === null) throw new Error('runs');
        return run;
      },
    };
    const log = { info: (about: object, words: string) => void logged.push([about, words]) };
    app = await appWithRoutes(
      (answer) => {
        const parts = { database, sync, feeds, log: log as never };
        quarantineRoutes(answer, parts);
        sourceSettingsRoutes(answer, {
          ...parts,
          feedMirror: () => feedMirror,
          clock: () => now,
        });
      },
      ({ changes }) => void audited.push(changes),
    );
  };

  beforeEach(async () => {
    database = await openFresh();
    logged = [];
    audited = [];
    await start();
  });
  afterEach(() => app.close());

  const stateOfAlma = () =>
    readSourceStates(
      { database, feeds, clock: () => now, histories: new ReleaseHistories(database) },
      ['almaLinux'],
    );
  const save = (settings: object, to = path) => ask(app, 'PUT', to, { ...standard, ...settings });

  test('returns the defaults before any change', async () => {
    const bench = await SyncBench.open(database);
    await bench.publish('small.example/one.json', [{ id: 'A', title: 'A' }]);
    const { endedAt } = await bench.sync(smallFeed);
    await bench.close();
    const { status, body } = await ask(app, 'GET', path);
    expect(status).toBe(200);
    expect(body).toEqual({
      settings: standard,
      standardSchedule: '15 */6 * * *',
      generalMirror: null,
      parts: [
        { key: 'one', label: 'Small one', added: false, readAt: expect.any(Number) },
        { key: 'two', label: 'Small two', added: false, readAt: null },
      ],
      addable: 'a number in words, such as three',
      changedAt: null,
      changedBy: null,
    });
    expect(SourceSettingsReply.parse(body).parts[0]?.readAt).toBeLessThanOrEqual(endedAt ?? 0);
    expect((await ask(app, 'GET', '/patchsync/sources/rockyLinux/settings')).body).toMatchObject({
      addable: null,
    });
    expect(await ask(app, 'GET', '/patchsync/sources/pardus/settings')).toMatchObject({
      status: 422,
      body: { code: 'no_feed' },
    });
  });

  test('saves and applies settings, and logs them with their former values', async () => {
    const settings = {
      enabled: false,
      schedule: '5  4 * * *',
      mirror: 'https://mirror.example/feeds/',
      leftOut: ['two', 'two'],
    };
    const saved = await save({ ...settings, added: ['three'], shrinkageShare: 50 });
    const normalized = {
      enabled: false,
      schedule: '5 4 * * *',
      mirror: 'https://mirror.example/feeds',
      leftOut: ['two'],
      added: ['three'],
      shrinkageShare: 50,
    };
    expect(saved).toMatchObject({
      status: 200,
      body: { settings: normalized, changedAt: now, changedBy: 'admin' },
    });
    expect(saved.body['parts']).toMatchObject([
      { key: 'one' },
      { key: 'two' },
      { key: 'three', label: 'Small three', added: true },
    ]);
    expect((await ask(app, 'GET', path)).body).toEqual(saved.body);
    expect(logged).toEqual([
      [
        {
          source: 'almaLinux',
          by: 'admin',
          changes: Object.fromEntries(
            Object.entries(normalized).map(([name, is]) => [
              name,
              { was: standard[name as keyof typeof standard], is },
            ]),
          ),
        },
        'the settings of a source were changed',
      ],
    ]);
    const [state] = await stateOfAlma();
    expect(state).toMatchObject({
      enabled: false,
      schedule: '5 4 * * *',
      scheduleWords: 'At 04:05 (UTC)',
      nextRunAt: null,
    });
    // Saving the same settings again is not a change.
    await save(normalized);
    expect(logged).toHaveLength(1);
    await save({ ...normalized, enabled: true });
    const [enabled] = await stateOfAlma();
    expect(enabled?.nextRunAt).toBe(Date.parse('2026-11-21T04:05:00Z'));
  });

  test('keeps absent settings, also with concurrent changes', async () => {
    await save({ leftOut: ['two'] });
    const some = await Promise.all([
      ask(app, 'PUT', path, { schedule: '5 4 * * *' }),
      ask(app, 'PUT', path, { mirror: 'https://mirror.example' }),
      ask(app, 'PUT', path, { shrinkageShare: 50 }),
    ]);
    expect(some.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await ask(app, 'GET', path)).body).toMatchObject({
      settings: {
        ...standard,
        leftOut: ['two'],
        schedule: '5 4 * * *',
        mirror: 'https://mirror.example',
        shrinkageShare: 50,
      },
    });
    expect((await ask(app, 'PUT', path, {})).status).toBe(200);
    expect(logged).toHaveLength(4);
  });

  test.each([
    [{ schedule: '@daily' }, 'invalid_schedule', 'has 1 field. Write five fields, minute, hour'],
    [{ schedule: '0 0 31 2 *' }, 'invalid_schedule', 'Invalid explicit day of month definition.'],
    [{ mirror: 'ftp://mirror.example' }, 'invalid_mirror', 'The mirror must be an http(s) address'],
    [{ mirror: 'https://' }, 'invalid_mirror', 'The mirror must be an http(s) address'],
    [
      { mirror: 'https://a:b@mirror.example' },
      'invalid_mirror',
      'it must not contain a name or password',
    ],
    [
      { mirror: 'https://mirror.example/?a' },
      'invalid_mirror',
      'it cannot have a query or a fragment',
    ],
    [
      { leftOut: ['five'] },
      'unknown_part',
      "Unknown part 'five'. Parts that can be excluded: one, two.",
    ],
    [{ leftOut: ['one', 'two'] }, 'nothing_followed', 'Disable the source instead.'],
    [
      { added: ['three'], leftOut: ['one', 'two', 'three'] },
      'nothing_followed',
      'Disable the source instead.',
    ],
    [{ added: ['three', 'three'] }, 'part_added_twice', "'three' is added twice."],
    [{ added: ['two'] }, 'part_is_own', "'two' need not be added"],
    [
      { added: ['five'] },
      'unknown_part',
      "'five' cannot be added. Allowed: a number in words, such as three.",
    ],
    [{ shrinkageShare: 0 }, 'invalid_input', 'shrinkageShare must be at least 1.'],
  ])('refuses %j', async (settings, code, words) => {
    expect(await save(settings)).toMatchObject({
      status: 422,
      body: { code, userMessage: expect.stringContaining(words) },
    });
    expect((await ask(app, 'GET', path)).body).toMatchObject({ settings: standard });
  });

  test('refuses added parts for a feed without optional parts', async () => {
    expect(
      await save({ added: ['three'] }, '/patchsync/sources/rockyLinux/settings'),
    ).toMatchObject({
      status: 422,
      body: { userMessage: 'Nothing can be added to this source.' },
    });
  });

  test('omits keys of former versions', async () => {
    const older = {
      ...standardSettings,
      leftOut: ['two', 'gone'],
      added: ['three', 'two', 'of an older version'],
    };
    await saveSettings(database, 'almaLinux', older, 'admin', now);
    expect((await ask(app, 'GET', path)).body).toMatchObject({
      settings: { leftOut: ['two'], added: ['three'] },
    });
  });

  test('returns the general mirror without its password', async () => {
    await app.close();
    await start('https://me:secret@mirror.example/all');
    expect((await ask(app, 'GET', path)).body).toMatchObject({
      generalMirror: 'https://mirror.example/all',
    });
    await app.close();
    await start('/srv/mirror');
    expect((await ask(app, 'GET', path)).body).toMatchObject({ generalMirror: '/srv/mirror' });
  });

  test('previews a schedule with its description and next times', async () => {
    const { body } = await ask(
      app,
      'GET',
      `/patchsync/schedule?cron=${encodeURIComponent('0 */12 * * *')}`,
    );
    expect(body).toEqual({
      words: 'On the hour, every 12 hours (UTC)',
      next: [12, 24, 36, 48, 60].map(
        (hours) => Date.parse('2026-11-20T00:00:00Z') + hours * 3_600_000,
      ),
    });
    expect(await ask(app, 'GET', '/patchsync/schedule?cron=never')).toMatchObject({
      status: 422,
      body: { code: 'invalid_schedule' },
    });
  });

  const source = 'almaLinux';
  const missing = { ...buildQuarantineEntry({ source }), fingerprints: { all: 'hash of the ids' } };
  const lost = {
    ...buildQuarantineEntry({
      source,
      reason: 'content_lost',
      losses: [{ label: 'CVEs', records: 2 }],
      examples: [
        { name: 'A', losses: ['CVEs: 3 of 4 missing (CVE-2031-1, CVE-2031-2, CVE-2031-3)'] },
      ],
    }),
    fingerprints: { 1: 'hash of 1', 2: 'hash of 2' },
  };
  const open = ({ fingerprints, ...entry }: typeof missing | typeof lost) =>
    openEntry(database, entry, new Map(Object.entries(fingerprints)));
  const getKey = ({ part, list, reason }: typeof missing | typeof lost) => ({ part, list, reason });
  const answer = (entry: typeof missing | typeof lost, to: string, more: object = {}) =>
    ask(app, 'POST', `/patchsync/sources/almaLinux/quarantine/${to}`, {
      ...getKey(entry),
      ...more,
    });
  const pending = async () => (await readPendingEntries(database)).get(source) ?? [];

  test.each([
    ['missing records', 'accept', 'accepted', missing],
    ['missing records', 'reject', 'rejected', missing],
    ['lost content', 'accept', 'accepted', lost],
    ['lost content', 'reject', 'rejected', lost],
  ] as const)(
    'shows %s, saves the decision %s, and starts a run',
    async (_what, to, decision, entry) => {
      const other = entry === missing ? lost : missing;
      await open(missing);
      await open(lost);
      const { source: _source, fingerprints, ...shown } = entry;
      expect((await stateOfAlma())[0]?.quarantine).toContainEqual(shown);
      const decided = await answer(entry, to);
      expect(decided).toMatchObject({
        status: 202,
        body: { source, state: 'queued', startedBy: 'admin' },
      });
      const after = { ...getKey(entry), decision };
      expect(logged).toEqual([
        [{ source, ...after, by: 'admin' }, 'quarantined changes were decided'],
      ]);
      expect(audited).toEqual([[{ subject: 'quarantine of source almaLinux', after }]]);
      expect(await pending()).toMatchObject([getKey(other)]);
      expect(await readQuarantinedChanges(database, entry)).toEqual(
        new Map(
          Object.entries(fingerprints).map(([key, fingerprint]) => [
            key,
            { fingerprint, decision, decidedBy: 'admin' },
          ]),
        ),
      );
      expect(await answer(entry, to)).toMatchObject({
        status: 409,
        body: { code: 'sync_running' },
      });
      const id = Number(decided.body['id']);
      await takeRun(database, id, now);
      await endRun(database, id, endedWell, now);
      expect(await answer(entry, to)).toMatchObject({
        status: 404,
        body: { code: 'nothing_quarantined' },
      });
    },
  );

  test('refuses decisions for another reason, a disabled source or an active run', async () => {
    await open(missing);
    expect((await answer(missing, 'accept', { reason: 'withdrawn' })).status).toBe(422);
    expect(await answer(lost, 'accept')).toMatchObject({ body: { code: 'nothing_quarantined' } });
    await save({ enabled: false });
    expect(await answer(missing, 'reject')).toMatchObject({
      status: 409,
      body: { code: 'source_disabled' },
    });
    await save({});
    await addRun(database, source, 'schedule', now);
    expect(await answer(missing, 'reject')).toMatchObject({
      status: 409,
      body: { code: 'sync_running' },
    });
    expect(await pending()).toHaveLength(1);
  });

  test('removes the quarantine of a part that is excluded', async () => {
    await open(missing);
    await open(lost);
    await save({ leftOut: ['two'] });
    expect(await pending()).toEqual([]);
    expect((await readQuarantinedChanges(database, lost)).size).toBe(0);
  });
});
