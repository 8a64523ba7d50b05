import type { Feed } from '@patch/catalogue/definition/feed.ts';
import type { QuarantineEntry } from '@patch/contract/quarantine-entry.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import {
  decide,
  isQuarantined,
  pendingEntries,
  type QuarantineDecision,
} from './quarantine-store.ts';
import type { RunningRun } from './running-run.ts';
import { type SmallRecord, smallFeed } from './testing/small-feed.ts';
import { SyncBench } from './testing/sync-bench.ts';
import { forgetRows, rowsOf } from './testing/synced-rows.ts';
import type { ToldRun } from './testing/told-run.ts';

const place = { source: 'almaLinux', part: 'one', list: 'almalinux_patch' } as const;
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
const idOf = (number: number) => `M-${String(number).padStart(4, '0')}`;

/** With four CVEs of its own and two packages. */
function record(number: number, more: Partial<SmallRecord> = {}): SmallRecord {
  const cve = numbers(1, 4).map((one) => `CVE-2031-${number * 10 + one}`);
  const packages = ['candle', 'wick'].map((name) => ({ name, version: '1.0' }));
  return {
    id: idOf(number),
    title: `Title of ${number}`,
    severity: 'Important',
    cve,
    packages,
    ...more,
  };
}
const cut = (number: number, more: Partial<SmallRecord> = {}) =>
  record(number, { cve: [`CVE-2031-${number * 10 + 1}`], ...more });
const records = (from: number, to: number) => numbers(from, to).map((number) => record(number));
const cutRecords = (from: number, to: number) => numbers(from, to).map((number) => cut(number));

describeWithDatabase('a publication that has lost content', (openFresh) => {
  let database: Database;
  let bench: SyncBench;

  beforeEach(async () => {
    database = await openFresh();
    bench = await SyncBench.open(database);
    await publish('two', [record(9999)]);
    await publish('one', records(1, 30));
    await sync();
  });
  afterEach(() => bench.close());

  const publish = (part: string, content: readonly SmallRecord[]) =>
    bench.publish(`small.example/${part}.json`, content);
  async function sync(
    options: {
      shrinkageShare?: number;
      feed?: Feed;
      whileRunning?: (running: RunningRun) => void;
    } = {},
  ) {
    const run = await bench.sync(options.feed ?? smallFeed, options);
    const [error] = bench.errors;
    if (error !== undefined)
      throw new Error('This program failed, not the vendor', { cause: error });
    return run;
  }
  const pending = async (reason: QuarantineEntry['reason'] = 'content_lost') =>
    ((await pendingEntries(database)).get('almaLinux') ?? []).filter((of) => of.reason === reason);
  const rows = () => rowsOf(database, smallFeed);
  const decideAs = (
    decision: QuarantineDecision,
    reason: QuarantineEntry['reason'] = 'content_lost',
  ) => decide(database, { ...place, reason }, decision, 'Ada');

  /** Which of the 30 records equal the publication, that is, what a first sync would write. */
  async function asPublished(
    content: readonly SmallRecord[],
  ): Promise<ReadonlyMap<string, string>> {
    const stored = await rows();
    await forgetRows(database, smallFeed);
    const fresh = await SyncBench.open(database);
    await fresh.publish('small.example/one.json', content);
    await fresh.publish('small.example/two.json', [record(9999)]);
    await fresh.sync(smallFeed);
    await fresh.close();
    const published = await rows();
    return new Map([...stored].filter(([key, hash]) => published.get(key) !== hash));
  }

  test('quarantines records that lose content and those that change with them, and writes the others', async () => {
    const before = await rows();
    const content = [
      ...cutRecords(1, 12),
      record(13, { title: 'Another title' }),
      record(14, { severity: 'Critical' }),
      ...records(15, 30),
      record(31),
    ];
    await publish('one', content);
    const run = await sync();
    expect(run).toMatchObject({
      state: 'succeeded_with_warnings',
      added: 1,
      changed: 1,
      unchanged: 29,
      withdrawn: 0,
    });
    expect(run.warnings).toEqual([
      'Small one: the publication has lost content; 13 of 30 records are affected (AlmaLinux patches: CVEs in 12, Title in 1). ' +
        'That may be a broken publication, so they stay as they are until an administrator decides.',
    ]);
    expect(await pending()).toEqual([
      {
        part: 'one',
        partLabel: 'Small one',
        list: 'almalinux_patch',
        reason: 'content_lost',
        records: 13,
        known: 30,
        losses: [
          { label: 'CVEs', records: 12 },
          { label: 'Title', records: 1 },
        ],
        examples: numbers(1, 10).map((number) => ({
          name: idOf(number),
          losses: [
            `CVEs: 3 of 4 missing (CVE-2031-${number * 10 + 2}, CVE-2031-${number * 10 + 3}, CVE-2031-${number * 10 + 4})`,
          ],
        })),
        runId: run.id,
        quarantinedAt: expect.any(Number),
      },
    ]);
    const after = await rows();
    const written = [...after]
      .filter(([key, hash]) => before.get(key) !== hash)
      .map(([key]) => key);
    expect(written.toSorted()).toEqual([
      `almalinux_patch ${idOf(14)}`,
      `almalinux_patch ${idOf(31)}`,
    ]);
    expect([...(await asPublished(content)).keys()]).toEqual(
      numbers(1, 13).map((number) => `almalinux_patch ${idOf(number)}`),
    );
  });

  test('checks an unchanged publication in every run, and keeps the question', async () => {
    await publish('one', [...cutRecords(1, 12), ...records(13, 30)]);
    const run = await sync();
    const [first] = await pending();
    const again = await sync();
    expect(again).toMatchObject({
      state: 'succeeded_with_warnings',
      changed: 0,
      warnings: run.warnings,
    });
    expect(await pending()).toEqual([first]);
  });

  test('withdraws the question when the vendor publishes the content again', async () => {
    await publish('one', cutRecords(1, 30));
    await sync();
    expect(await pending()).toHaveLength(1);
    await publish('one', records(1, 30));
    expect(await sync()).toMatchObject({ state: 'succeeded', changed: 0, warnings: [] });
    expect(await pending()).toEqual([]);
    expect(await isQuarantined(database, 'almaLinux', 'one')).toBe(false);
  });

  describe('accepted', () => {
    test('is written by the next run, as in a first sync', async () => {
      const content = [
        ...cutRecords(1, 12),
        record(13, { title: 'Another title' }),
        ...records(14, 30),
      ];
      await publish('one', content);
      await sync();
      expect(await decideAs('accepted')).toBe(true);
      expect(await decideAs('rejected')).toBe(false);
      expect(await pending()).toEqual([]);
      expect(await sync()).toMatchObject({ state: 'succeeded', changed: 13, warnings: [] });
      expect(await isQuarantined(database, 'almaLinux', 'one')).toBe(false);
      expect(await sync()).toMatchObject({
        state: 'succeeded',
        message: 'Nothing new: all 2 documents are unchanged.',
      });
      expect([...(await asPublished(content))]).toEqual([]);
    });

    test('asks again when the publication has changed by then', async () => {
      await publish('one', [...cutRecords(1, 12), ...records(13, 30)]);
      await sync();
      await decideAs('accepted');
      await publish('one', [
        ...cutRecords(1, 6),
        ...numbers(7, 14).map((number) => record(number, { cve: [] })),
        ...records(15, 30),
      ]);
      const run = await sync();
      expect(run).toMatchObject({ state: 'succeeded_with_warnings', changed: 6 });
      expect(await pending()).toMatchObject([{ records: 8, runId: run.id }]);
    });

    test('does not ask again after a run that ended while writing', async () => {
      await publish('one', records(1, 2500));
      await sync();
      await publish('one', cutRecords(1, 2500));
      await sync();
      await decideAs('accepted');
      const broken = await sync({
        whileRunning(running) {
          const advance = running.advance.bind(running);
          running.advance = (by) => {
            advance(by);
            if (running.counts.changed > 0) running.cancel('Bob');
          };
        },
      });
      expect(broken).toMatchObject({ state: 'cancelled', warnings: [] });
      // Some batches of the records, not all of them.
      expect(broken.changed).toBeGreaterThan(0);
      expect(broken.changed).toBeLessThan(2500);
      expect(await sync()).toMatchObject({
        state: 'succeeded',
        changed: 2500 - broken.changed,
        warnings: [],
      });
      expect(await pending()).toEqual([]);
    });
  });

  test('keeps the question of a run that ended early, and completes it in the next', async () => {
    await publish('one', [...cutRecords(1, 30), ...records(31, 3000)]);
    const broken = await sync({
      whileRunning(running) {
        const advance = running.advance.bind(running);
        running.advance = (by) => {
          advance(by);
          if (running.counts.added > 0) running.cancel('Bob');
        };
      },
    });
    expect(broken).toMatchObject({ state: 'cancelled' });
    expect(broken.added).toBeGreaterThan(0);
    expect(broken.added).toBeLessThan(2970);
    const [question] = await pending();
    expect(question).toMatchObject({ records: 30, runId: broken.id });
    expect(await sync()).toMatchObject({
      state: 'succeeded_with_warnings',
      added: 2970 - broken.added,
      changed: 0,
    });
    expect(await pending()).toEqual([question]);
  });

  describe('kept', () => {
    const kept =
      'Small one: 12 records of which the publication has lost content stay as before (AlmaLinux patches), as Ada decided.';
    const published = [...cutRecords(1, 12), ...records(13, 30)];

    let afterwards: ToldRun;

    beforeEach(async () => {
      await publish('one', published);
      await sync();
      await decideAs('rejected');
      afterwards = await sync();
    });

    test('stays, raises no question, and the part counts as read', async () => {
      expect(afterwards).toMatchObject({
        state: 'succeeded_with_warnings',
        changed: 0,
        warnings: [kept],
      });
      expect(await pending()).toEqual([]);
      expect(await sync()).toMatchObject({
        changed: 0,
        message: 'Nothing new: all 2 documents are unchanged.',
        warnings: [kept],
      });
      expect((await asPublished(published)).size).toBe(12);
    });

    test('writes routine changes of other records', async () => {
      await publish('one', [
        ...cutRecords(1, 12),
        cut(13),
        record(14, { title: 'Another title' }),
        ...records(15, 31),
      ]);
      expect(await sync()).toMatchObject({ added: 1, changed: 2, warnings: [kept] });
      expect(await pending()).toEqual([]);
    });

    test('asks only about a kept record that changes without regaining its content', async () => {
      await publish('one', [
        cut(1, { title: 'Another title' }),
        ...cutRecords(2, 12),
        ...records(13, 30),
      ]);
      const run = await sync();
      expect(run).toMatchObject({
        changed: 0,
        warnings: [
          kept.replace('12', '11'),
          expect.stringContaining('1 of 30 records are affected'),
        ],
      });
      expect(await pending()).toMatchObject([
        { records: 1, runId: run.id, examples: [{ name: idOf(1) }] },
      ]);
    });

    test('writes records that regain their content, and stops warning about them', async () => {
      await publish('one', [
        ...cutRecords(1, 2),
        ...numbers(3, 30).map((number) => record(number, { title: 'Complete again' })),
      ]);
      expect(await sync()).toMatchObject({ changed: 28, warnings: [kept.replace('12', '2')] });
    });
  });

  describe('that has lost records as well', () => {
    const fewer = [...cutRecords(1, 12), ...records(13, 28)];
    const withdrawals = () => pending('records_missing');

    beforeEach(async () => {
      await publish('one', fewer);
      await sync();
    });

    test('withdraws nothing, however few records are missing', async () => {
      expect(await pending()).toMatchObject([{ records: 12 }]);
      expect(await withdrawals()).toMatchObject([
        { known: 30, records: 2, examples: [{ name: idOf(29) }, { name: idOf(30) }] },
      ]);
      expect(await sync()).toMatchObject({ changed: 0, withdrawn: 0 });
    });

    test('withdraws missing records as usual once the content is accepted', async () => {
      await decideAs('accepted');
      expect(await sync()).toMatchObject({
        state: 'succeeded',
        changed: 12,
        withdrawn: 2,
        warnings: [],
      });
      expect(await withdrawals()).toEqual([]);
      expect([...(await asPublished(fewer))]).toEqual([]);
    });

    test('quarantines missing records while the content is kept', async () => {
      await decideAs('rejected');
      expect(await sync()).toMatchObject({ changed: 0, withdrawn: 0 });
      expect(await withdrawals()).toHaveLength(1);
      await decideAs('rejected', 'records_missing');
      expect(await sync()).toMatchObject({ changed: 0, withdrawn: 0 });
      expect(await sync()).toMatchObject({
        message: 'Nothing new: all 2 documents are unchanged.',
      });
    });

    test('asks about too many missing records even when the content is accepted', async () => {
      await publish('one', [...cutRecords(1, 12), ...records(13, 20)]);
      await sync();
      await decideAs('accepted');
      expect(await sync()).toMatchObject({
        changed: 12,
        withdrawn: 0,
        warnings: [expect.stringContaining('lists only 20')],
      });
    });

    test('asks nothing once everything is back', async () => {
      await publish('one', records(1, 30));
      expect(await sync()).toMatchObject({
        state: 'succeeded',
        changed: 0,
        withdrawn: 0,
        warnings: [],
      });
      expect([...(await pending()), ...(await withdrawals())]).toEqual([]);
    });
  });

  test('keeps the content of records that get another key in the same publication', async () => {
    const renamed = (number: number) =>
      cut(number, { id: `R-${number}`, formerKeys: [idOf(number)] });
    await publish('one', [...numbers(1, 12).map(renamed), ...records(13, 30)]);
    expect(await sync()).toMatchObject({ added: 0, changed: 0, withdrawn: 0 });
    expect(await pending()).toMatchObject([{ records: 12 }]);
    await decideAs('accepted');
    expect(await sync()).toMatchObject({ changed: 12, warnings: [] });
  });

  describe('another version of the reader', () => {
    const raised: Feed = { ...smallFeed, version: 2 };

    test('may drop content of any number of records', async () => {
      await publish('one', cutRecords(1, 30));
      expect(await sync({ feed: raised })).toMatchObject({ changed: 30, warnings: [] });
      expect(await pending()).toEqual([]);
      await publish(
        'one',
        numbers(1, 30).map((number) => cut(number, { cve: [] })),
      );
      expect(await sync({ feed: raised })).toMatchObject({ changed: 0 });
      expect(await pending()).toMatchObject([{ records: 30 }]);
    });

    test('writes nothing that is quarantined already', async () => {
      await publish('one', [...cutRecords(1, 12), ...records(13, 30)]);
      await sync();
      await publish(
        'one',
        numbers(1, 30).map((number) => cut(number, { title: 'Read in another way' })),
      );
      expect(await sync({ feed: raised })).toMatchObject({ changed: 18 });
      expect(await pending()).toMatchObject([{ records: 12 }]);
    });

    test('counts from the run that wrote with it, though withdrawals were quarantined in it', async () => {
      await publish('one', cutRecords(1, 20));
      expect(await sync({ feed: raised })).toMatchObject({ changed: 20, withdrawn: 0 });
      await publish(
        'one',
        numbers(1, 20).map((number) => cut(number, { cve: [] })),
      );
      expect(await sync({ feed: raised })).toMatchObject({ changed: 0 });
      expect(await pending()).toMatchObject([{ records: 20 }]);
    });
  });

  test('uses the share of the source as the limit of a large loss', async () => {
    const most = numbers(1, 30).map((number) =>
      record(number, { cve: (record(number).cve ?? []).slice(0, 1) }),
    );
    await publish('one', most);
    expect(await sync({ shrinkageShare: 74 })).toMatchObject({ changed: 0 });
    expect(await sync({ shrinkageShare: 100 })).toMatchObject({ changed: 30, warnings: [] });
    expect(await pending()).toEqual([]);
  });

  test('only what has changed is read from the database and from the spool', async () => {
    await publish('one', records(1, 3000));
    await sync();
    await publish('one', [...cutRecords(1, 120), ...records(121, 3000)]);
    const asked: string[] = [];
    const watched: Database = Object.assign(Object.create(database) as Database, {
      query: (text: string, values: readonly unknown[]) => {
        asked.push(text);
        return database.query(text, values);
      },
      transaction: (work: never) => database.transaction(work),
    });
    const watchedBench = await SyncBench.open(watched);
    for (const [part, content] of [
      ['one', [...cutRecords(1, 120), ...records(121, 3000)]],
      ['two', [record(9999)]],
    ] as const)
      await watchedBench.publish(`small.example/${part}.json`, content);
    expect(await watchedBench.sync(smallFeed)).toMatchObject({ changed: 0, unchanged: 3000 });
    await watchedBench.close();
    expect(asked.filter((text) => text.includes('left join entry_detail'))).toHaveLength(3);
  });
});
