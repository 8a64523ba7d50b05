import type { Feed } from '@patch/catalogue/definition/feed.ts';
import type { QuarantineEntry } from '@patch/contract/sources/quarantine-entry.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import {
  isQuarantined,
  type QuarantineDecision,
  readPendingEntries,
  saveDecision,
} from '../parts/quarantine-store.ts';
import type { RunningRun } from '../runs/running-run.ts';
import type { RunWithTexts } from '../testing/run-with-texts.ts';
import { type SmallRecord, smallFeed } from '../testing/small-feed.ts';
import { describeWithBench, SyncBench } from '../testing/sync-bench.ts';
import { forgetRows, readSyncedRows } from '../testing/synced-rows.ts';

const entryKey = { source: 'almaLinux', part: 'one', list: 'almalinux_patch' } as const;
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
const formatId = (number: number) => `M-${String(number).padStart(4, '0')}`;

/** Builds a record with four CVEs and two packages. */
function record(number: number, more: Partial<SmallRecord> = {}): SmallRecord {
  const cve = numbers(1, 4).map((index) => `CVE-2031-${number * 10 + index}`);
  const packages = ['candle', 'wick'].map((name) => ({ name, version: '1.0' }));
  return {
    id: formatId(number),
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

describeWithBench('a publication that has lost content', (bench) => {
  beforeEach(async () => {
    await publish('two', [record(9999)]);
    await publish('one', records(1, 30));
    await sync();
  });

  const publish = bench.publishPart.bind(bench);
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
    ((await readPendingEntries(bench.database)).get('almaLinux') ?? []).filter(
      (of) => of.reason === reason,
    );
  const rows = () => readSyncedRows(bench.database, smallFeed);
  const decideAs = (
    decision: QuarantineDecision,
    reason: QuarantineEntry['reason'] = 'content_lost',
  ) => saveDecision(bench.database, { ...entryKey, reason }, decision, 'Ada');

  /** Returns the stored rows that differ from those of a first sync of the publication. */
  async function asPublished(
    content: readonly SmallRecord[],
  ): Promise<ReadonlyMap<string, string>> {
    const stored = await rows();
    await forgetRows(bench.database);
    const fresh = await SyncBench.open(bench.database);
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
          name: formatId(number),
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
      `almalinux_patch ${formatId(14)}`,
      `almalinux_patch ${formatId(31)}`,
    ]);
    expect([...(await asPublished(content)).keys()]).toEqual(
      numbers(1, 13).map((number) => `almalinux_patch ${formatId(number)}`),
    );
  });

  test('checks an unchanged publication in every run, and keeps the entry', async () => {
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

  test('removes the entry when the vendor publishes the content again', async () => {
    await publish('one', cutRecords(1, 30));
    await sync();
    expect(await pending()).toHaveLength(1);
    await publish('one', records(1, 30));
    expect(await sync()).toMatchObject({ state: 'succeeded', changed: 0, warnings: [] });
    expect(await pending()).toEqual([]);
    expect(await isQuarantined(bench.database, 'almaLinux', 'one')).toBe(false);
  });

  describe('when accepted', () => {
    test('writes the content in the next run, as in a first sync', async () => {
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
      expect(await isQuarantined(bench.database, 'almaLinux', 'one')).toBe(false);
      expect(await sync()).toMatchObject({
        state: 'succeeded',
        message: 'Nothing new: all 2 documents are unchanged.',
      });
      expect([...(await asPublished(content))]).toEqual([]);
    });

    test('quarantines again when the publication has changed', async () => {
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

    test('needs no further decision after a run that ended while writing', async () => {
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
      // The run has written some batches, but not all.
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

  test('keeps the entry of a run that ended early, and continues in the next run', async () => {
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

  describe('when rejected', () => {
    const warning =
      'Small one: 12 records of which the publication has lost content stay as before (AlmaLinux patches), as Ada decided.';
    const published = [...cutRecords(1, 12), ...records(13, 30)];

    let afterwards: RunWithTexts;

    beforeEach(async () => {
      await publish('one', published);
      await sync();
      await decideAs('rejected');
      afterwards = await sync();
    });

    test('keeps the records without an entry, and the part counts as read', async () => {
      expect(afterwards).toMatchObject({
        state: 'succeeded_with_warnings',
        changed: 0,
        warnings: [warning],
      });
      expect(await pending()).toEqual([]);
      expect(await sync()).toMatchObject({
        changed: 0,
        message: 'Nothing new: all 2 documents are unchanged.',
        warnings: [warning],
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
      expect(await sync()).toMatchObject({ added: 1, changed: 2, warnings: [warning] });
      expect(await pending()).toEqual([]);
    });

    test('quarantines only a rejected record that changes without regaining its content', async () => {
      await publish('one', [
        cut(1, { title: 'Another title' }),
        ...cutRecords(2, 12),
        ...records(13, 30),
      ]);
      const run = await sync();
      expect(run).toMatchObject({
        changed: 0,
        warnings: [
          warning.replace('12', '11'),
          expect.stringContaining('1 of 30 records are affected'),
        ],
      });
      expect(await pending()).toMatchObject([
        { records: 1, runId: run.id, examples: [{ name: formatId(1) }] },
      ]);
    });

    test('writes records that regain their content, and stops warning about them', async () => {
      await publish('one', [
        ...cutRecords(1, 2),
        ...numbers(3, 30).map((number) => record(number, { title: 'Complete again' })),
      ]);
      expect(await sync()).toMatchObject({ changed: 28, warnings: [warning.replace('12', '2')] });
    });
  });

  describe('with missing records', () => {
    const fewer = [...cutRecords(1, 12), ...records(13, 28)];
    const withdrawals = () => pending('records_missing');

    beforeEach(async () => {
      await publish('one', fewer);
      await sync();
    });

    test('withdraws nothing, even if few records are missing', async () => {
      expect(await pending()).toMatchObject([{ records: 12 }]);
      expect(await withdrawals()).toMatchObject([
        { known: 30, records: 2, examples: [{ name: formatId(29) }, { name: formatId(30) }] },
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

    test('quarantines missing records while the content is rejected', async () => {
      await decideAs('rejected');
      expect(await sync()).toMatchObject({ changed: 0, withdrawn: 0 });
      expect(await withdrawals()).toHaveLength(1);
      await decideAs('rejected', 'records_missing');
      expect(await sync()).toMatchObject({ changed: 0, withdrawn: 0 });
      expect(await sync()).toMatchObject({
        message: 'Nothing new: all 2 documents are unchanged.',
      });
    });

    test('quarantines too many missing records even when the content is accepted', async () => {
      await publish('one', [...cutRecords(1, 12), ...records(13, 20)]);
      await sync();
      await decideAs('accepted');
      expect(await sync()).toMatchObject({
        changed: 12,
        withdrawn: 0,
        warnings: [expect.stringContaining('lists only 20')],
      });
    });

    test('removes all entries when everything is published again', async () => {
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

  test('quarantines lost content of records that get another key in the same publication', async () => {
    const buildRenamed = (number: number) =>
      cut(number, { id: `R-${number}`, formerKeys: [formatId(number)] });
    await publish('one', [...numbers(1, 12).map(buildRenamed), ...records(13, 30)]);
    expect(await sync()).toMatchObject({ added: 0, changed: 0, withdrawn: 0 });
    expect(await pending()).toMatchObject([{ records: 12 }]);
    await decideAs('accepted');
    expect(await sync()).toMatchObject({ changed: 12, warnings: [] });
  });

  describe('with another version of the reader', () => {
    const raised: Feed = { ...smallFeed, version: 2 };

    test('accepts lost content of any number of records', async () => {
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

    test('writes no records that are already quarantined', async () => {
      await publish('one', [...cutRecords(1, 12), ...records(13, 30)]);
      await sync();
      await publish(
        'one',
        numbers(1, 30).map((number) => cut(number, { title: 'Read in another way' })),
      );
      expect(await sync({ feed: raised })).toMatchObject({ changed: 18 });
      expect(await pending()).toMatchObject([{ records: 12 }]);
    });

    test('applies from the run that wrote with it, even if withdrawals were quarantined in that run', async () => {
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

  test('reads only changed records from the database and the spool', async () => {
    await publish('one', records(1, 3000));
    await sync();
    await publish('one', [...cutRecords(1, 120), ...records(121, 3000)]);
    const statements: string[] = [];
    const watched: Database = Object.assign(Object.create(bench.database) as Database, {
      query: (text: string, values: readonly unknown[]) => {
        statements.push(text);
        return bench.database.query(text, values);
      },
      transaction: (work: never) => bench.database.transaction(work),
    });
    const watchedBench = await SyncBench.open(watched);
    for (const [part, content] of [
      ['one', [...cutRecords(1, 120), ...records(121, 3000)]],
      ['two', [record(9999)]],
    ] as const)
      await watchedBench.publishPart(part, content);
    expect(await watchedBench.sync(smallFeed)).toMatchObject({ changed: 0, unchanged: 3000 });
    await watchedBench.close();
    expect(statements.filter((text) => text.startsWith('select id, detail,'))).toHaveLength(3);
  });
});
