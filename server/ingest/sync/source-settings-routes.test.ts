import type { Feed } from '@patch/catalogue/definition/feed.ts';
import { SourceSettingsReply } from '@patch/contract/source-settings-endpoints.ts';
import type { HeldContent } from '@patch/contract/sync-endpoints.ts';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { appWithRoutes, ask } from '../../testing/app-with-routes.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { heldRecords, openContentQuestion, undecidedContent } from './held-content-store.ts';
import { heldDecisionRoutes } from './held-decision-routes.ts';
import { hold, undecidedWithdrawals } from './held-withdrawal-store.ts';
import { ReleaseHistories } from './release-histories.ts';
import { addRun, endRun, takeRun } from './run-store.ts';
import { saveSettings, standardSettings } from './source-setting-store.ts';
import { sourceSettingsRoutes } from './source-settings-routes.ts';
import { sourceStates } from './source-states.ts';
import { nothingNew } from './testing/nothing-new.ts';
import { smallFeed } from './testing/small-feed.ts';
import { SyncBench } from './testing/sync-bench.ts';

const { otherParts: _, ...closedFeed } = smallFeed;
const counts = { added: 0, changed: 0, withdrawn: 0, unchanged: 0, rejected: 0 };
const endedWell = { state: 'succeeded', message: nothingNew, warnings: [], ...counts } as const;

describeWithDatabase('the settings of a source', (openFresh) => {
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
  /** What was changed by each action, as the audit log is told. */
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
        heldDecisionRoutes(answer, parts);
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
    sourceStates({ database, feeds, clock: () => now, histories: new ReleaseHistories(database) }, [
      'almaLinux',
    ]);
  const save = (settings: object, to = path) => ask(app, 'PUT', to, { ...standard, ...settings });

  test('before anybody has set them', async () => {
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

  test('are saved, followed and logged with what they were', async () => {
    const settings = {
      enabled: false,
      schedule: '5  4 * * *',
      mirror: 'https://mirror.example/feeds/',
      leftOut: ['two', 'two'],
    };
    const saved = await save({ ...settings, added: ['three'], shrinkageShare: 50 });
    const kept = {
      enabled: false,
      schedule: '5 4 * * *',
      mirror: 'https://mirror.example/feeds',
      leftOut: ['two'],
      added: ['three'],
      shrinkageShare: 50,
    };
    expect(saved).toMatchObject({
      status: 200,
      body: { settings: kept, changedAt: now, changedBy: 'admin' },
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
            Object.entries(kept).map(([name, is]) => [
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
    // Saved once more as they are they have not changed.
    await save(kept);
    expect(logged).toHaveLength(1);
    await save({ ...kept, enabled: true });
    const [enabled] = await stateOfAlma();
    expect(enabled?.nextRunAt).toBe(Date.parse('2026-11-21T04:05:00Z'));
  });

  test('what is absent stays, also of two who save at once', async () => {
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
      'a name or password in it would be seen',
    ],
    [
      { mirror: 'https://mirror.example/?a' },
      'invalid_mirror',
      'it cannot have a query or a fragment',
    ],
    [
      { leftOut: ['five'] },
      'unknown_part',
      "There is no part 'five' that could be excluded. The parts are: one, two.",
    ],
    [{ leftOut: ['one', 'two'] }, 'nothing_followed', 'Switch the source off instead.'],
    [
      { added: ['three'], leftOut: ['one', 'two', 'three'] },
      'nothing_followed',
      'Switch the source off instead.',
    ],
    [{ added: ['three', 'three'] }, 'part_added_twice', "'three' is added twice."],
    [{ added: ['two'] }, 'part_is_own', "'two' need not be added"],
    [
      { added: ['five'] },
      'unknown_part',
      "'five' cannot be added. What can be added is a number in words, such as three.",
    ],
    [{ shrinkageShare: 0 }, 'invalid_input', 'shrinkageShare must be at least 1.'],
  ])('%j is refused', async (settings, code, words) => {
    expect(await save(settings)).toMatchObject({
      status: 422,
      body: { code, userMessage: expect.stringContaining(words) },
    });
    expect((await ask(app, 'GET', path)).body).toMatchObject({ settings: standard });
  });

  test('nothing can be added where the feed reads nothing else', async () => {
    expect(
      await save({ added: ['three'] }, '/patchsync/sources/rockyLinux/settings'),
    ).toMatchObject({
      status: 422,
      body: { userMessage: 'Nothing can be added to this source.' },
    });
  });

  test('keys that this version does not know any more are not handed back', async () => {
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

  test('the general mirror is named without its password', async () => {
    await app.close();
    await start('https://me:secret@mirror.example/all');
    expect((await ask(app, 'GET', path)).body).toMatchObject({
      generalMirror: 'https://mirror.example/all',
    });
    await app.close();
    await start('/srv/mirror');
    expect((await ask(app, 'GET', path)).body).toMatchObject({ generalMirror: '/srv/mirror' });
  });

  test('a schedule is tried in words and times', async () => {
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

  const place = { part: 'two', list: 'almalinux_patch' } as const;
  const withdrawal = {
    ...place,
    partLabel: 'Small two',
    known: 30,
    missing: 20,
    examples: ['A'],
    runId: 7,
    heldAt: now,
  };
  const question: HeldContent = {
    ...place,
    partLabel: 'Small two',
    records: 2,
    compared: 30,
    losses: [{ label: 'CVEs', records: 2 }],
    examples: [
      { name: 'A', losses: ['CVEs: 3 of 4 missing (CVE-2031-1, CVE-2031-2, CVE-2031-3)'] },
    ],
    runId: 7,
    heldAt: now,
  };
  const holdTwo = () => hold(database, { source: 'almaLinux', ...withdrawal, missingHash: 'x' });
  const askAboutTwo = () =>
    openContentQuestion(
      database,
      { source: 'almaLinux', ...question },
      [1, 2].map((rowId) => ({ rowId, contentHash: `hash of ${rowId}` })),
    );
  const recordsOfTwo = async () => [
    ...(await heldRecords(database, { source: 'almaLinux', ...place })).values(),
  ];
  const ofWithdrawals = {
    url: '/patchsync/sources/almaLinux/held',
    subject: 'held withdrawals',
    rowIds: [] as readonly number[],
    open: holdTwo,
    shown: { held: [withdrawal] },
    undecided: async () => (await undecidedWithdrawals(database)).size,
  };
  const ofContent = {
    url: '/patchsync/sources/almaLinux/held-content',
    subject: 'held content',
    rowIds: [1, 2],
    open: askAboutTwo,
    shown: { heldContent: [question] },
    undecided: async () => (await undecidedContent(database)).size,
  };

  test.each([
    ['a held withdrawal', 'withdraw', ofWithdrawals, 'a held withdrawal was decided'],
    ['a held withdrawal', 'keep', ofWithdrawals, 'a held withdrawal was decided'],
    ['held content', 'accept', ofContent, 'held content was decided'],
    ['held content', 'keep', ofContent, 'held content was decided'],
  ])('shows %s, decides once to %s, and starts a run', async (_what, decision, kind, words) => {
    await kind.open();
    expect(await stateOfAlma()).toMatchObject([kind.shown]);
    const decide = () => ask(app, 'POST', kind.url, { ...place, decision });
    const decided = await decide();
    expect(decided).toMatchObject({
      status: 202,
      body: { source: 'almaLinux', state: 'queued', startedBy: 'admin' },
    });
    expect(logged).toEqual([[{ source: 'almaLinux', ...place, decision, by: 'admin' }, words]]);
    expect(audited).toEqual([
      [{ subject: `${kind.subject} of source almaLinux`, after: { ...place, decision } }],
    ]);
    expect(await kind.undecided()).toBe(0);
    expect(await recordsOfTwo()).toMatchObject(
      kind.rowIds.map((rowId) => ({ rowId, decision, decidedBy: 'admin' })),
    );
    expect(await decide()).toMatchObject({ status: 409, body: { code: 'sync_running' } });
    const id = Number(decided.body['id']);
    await takeRun(database, id, now);
    await endRun(database, id, endedWell, now);
    expect(await decide()).toMatchObject({ status: 404, body: { code: 'nothing_held' } });
  });

  test.each([
    ['a held withdrawal', 'accept', ofWithdrawals],
    ['held content', 'withdraw', ofContent],
  ])(
    'does not decide %s to %s, nor while the source is switched off or its run is under way',
    async (_what, foreign, kind) => {
      await kind.open();
      const decide = (decision: string) => ask(app, 'POST', kind.url, { ...place, decision });
      expect((await decide(foreign)).status).toBe(422);
      await save({ enabled: false });
      expect(await decide('keep')).toMatchObject({
        status: 409,
        body: { code: 'source_disabled' },
      });
      await save({});
      await addRun(database, 'almaLinux', 'schedule', now);
      expect(await decide('keep')).toMatchObject({ status: 409, body: { code: 'sync_running' } });
      expect(await kind.undecided()).toBe(1);
    },
  );

  test('of a part that is not followed any more nothing is held', async () => {
    await holdTwo();
    await askAboutTwo();
    await save({ leftOut: ['two'] });
    expect((await undecidedWithdrawals(database)).size).toBe(0);
    expect((await undecidedContent(database)).size).toBe(0);
    expect(await recordsOfTwo()).toEqual([]);
  });
});
