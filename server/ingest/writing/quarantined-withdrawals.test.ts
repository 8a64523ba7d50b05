import type { Feed, Part } from '@patch/catalogue/definition/feed.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { TotalRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import {
  readPendingEntries,
  readQuarantinedChanges,
  saveDecision,
} from '../parts/quarantine-store.ts';
import { readChangesPage } from '../runs/run-record-store.ts';
import { type SmallRecord, smallFeed } from '../testing/small-feed.ts';
import { describeWithBench } from '../testing/sync-bench.ts';

describeWithBench('a part with too many missing records', (bench) => {
  const entryKey = {
    source: 'almaLinux',
    part: 'one',
    list: 'almalinux_patch',
    reason: 'records_missing',
  } as const;

  beforeEach(async () => {
    await publish('two', records('Z'));
  });

  const publish = bench.publishPart.bind(bench);
  const records = (...ids: string[]): SmallRecord[] =>
    ids.map((id) => ({ id, title: `Title of ${id}`, severity: 'Low' }));
  const numbered = (from: number, to: number) =>
    records(
      ...Array.from(
        { length: to - from + 1 },
        (_, index) => `M-${String(from + index).padStart(4, '0')}`,
      ),
    );
  const sync = (shrinkageShare?: number) =>
    bench.sync(smallFeed, shrinkageShare === undefined ? {} : { shrinkageShare });

  async function pending() {
    return (await readPendingEntries(bench.database)).get('almaLinux') ?? [];
  }
  async function listed(): Promise<number> {
    const rows = await queryRows(
      bench.database,
      TotalRow,
      "select count(*) as total from almalinux_patch where withdrawn_time is null and part = 'one'",
    );
    return rows[0]?.total ?? Number.NaN;
  }

  /** Publishes 30 records, then 10 of them and a new one. */
  async function shrink() {
    await publish('one', numbered(1, 30));
    await sync();
    await publish('one', [...numbered(21, 30), ...records('New')]);
    return sync();
  }

  test('writes new records, withdraws nothing, and checks again in every run', async () => {
    const run = await shrink();
    expect(run).toMatchObject({ state: 'succeeded_with_warnings', added: 1, withdrawn: 0 });
    expect(run.warnings).toEqual([
      'Small one: the vendor lists only 10 of the 30 records known before (AlmaLinux patches). ' +
        'This may be a broken publication, so none was withdrawn. An administrator must decide.',
    ]);
    const first = await pending();
    expect(first).toEqual([
      {
        part: 'one',
        partLabel: 'Small one',
        list: 'almalinux_patch',
        reason: 'records_missing',
        known: 30,
        records: 20,
        losses: [],
        examples: numbered(1, 10).map(({ id }) => ({ name: id, losses: [] })),
        runId: run.id,
        quarantinedAt: expect.any(Number),
      },
    ]);
    expect(await sync()).toMatchObject({
      state: 'succeeded_with_warnings',
      withdrawn: 0,
      unchanged: 11,
    });
    expect(await pending()).toEqual(first);
    expect(await listed()).toBe(31);
  });

  test('withdraws within the share of the settings, and in small parts', async () => {
    await publish('one', numbered(1, 20));
    await publish('two', numbered(101, 119));
    await sync();
    await publish('one', numbered(7, 20));
    await publish('two', numbered(119, 119));
    expect(await sync(30)).toMatchObject({ state: 'succeeded', withdrawn: 6 + 18 });
    await publish('one', numbered(1, 20));
    await sync();
    await publish('one', numbered(8, 20));
    expect(await sync(30)).toMatchObject({ state: 'succeeded_with_warnings', withdrawn: 0 });
    expect(await sync(35)).toMatchObject({ state: 'succeeded', withdrawn: 7 });
    expect(await pending()).toEqual([]);
  });

  test('withdraws the records in the next run when the entry is accepted', async () => {
    await shrink();
    expect(await saveDecision(bench.database, entryKey, 'accepted', 'Ada')).toBe(true);
    expect(await saveDecision(bench.database, entryKey, 'rejected', 'Bob')).toBe(false);
    const run = await sync();
    expect(run).toMatchObject({ state: 'succeeded', withdrawn: 20, warnings: [] });
    expect(
      (await readChangesPage(bench.database, run.id, 0, 100)).rows.map(({ kind }) => kind),
    ).toEqual(Array(20).fill('withdrawn'));
    expect((await readQuarantinedChanges(bench.database, entryKey)).size).toBe(0);
    expect(await listed()).toBe(11);
    expect((await sync()).message).toBe('Nothing new: all 2 documents are unchanged.');
  });

  test('keeps the records when the entry is rejected, and the part counts as read', async () => {
    await shrink();
    await saveDecision(bench.database, entryKey, 'rejected', 'Ada');
    const run = await sync();
    expect(run).toMatchObject({ state: 'succeeded_with_warnings', withdrawn: 0 });
    expect(run.warnings).toEqual([
      'Small one: the vendor lists only 11 of the 31 records known before (AlmaLinux patches). The others are kept, as Ada decided.',
    ]);
    expect(await pending()).toEqual([]);
    expect(await sync()).toMatchObject({
      message: 'Nothing new: all 2 documents are unchanged.',
      warnings: run.warnings,
    });
    // The decision applies while the same records are missing.
    await publish('one', [...numbered(21, 30), ...records('New', 'Newer')]);
    expect(await sync()).toMatchObject({ added: 1, withdrawn: 0 });
    expect(await pending()).toEqual([]);
    expect(await listed()).toBe(32);
  });

  test.each(['accepted', 'rejected'] as const)(
    'quarantines %s withdrawals again when other records are missing',
    async (decision) => {
      await shrink();
      await saveDecision(bench.database, entryKey, decision, 'Ada');
      await publish('one', [...numbered(22, 30), ...records('New')]);
      const run = await sync();
      expect(run).toMatchObject({ state: 'succeeded_with_warnings', withdrawn: 0 });
      expect(await pending()).toMatchObject([{ records: 21, runId: run.id }]);
      expect(await listed()).toBe(31);
    },
  );

  test.each([
    ['the same document', numbered(1, 30)],
    ['another one', [...numbered(1, 29), ...records('New')]],
  ])('removes the entry when the vendor lists the records again, in %s', async (_, content) => {
    await shrink();
    await publish('one', content);
    expect(await sync()).toMatchObject({ state: 'succeeded', withdrawn: 1 });
    expect((await readQuarantinedChanges(bench.database, entryKey)).size).toBe(0);
  });

  test('needs no further decision after a run that ended while withdrawing', async () => {
    await publish('one', numbered(1, 2000));
    await sync();
    await publish('one', numbered(1901, 2000));
    await sync();
    await saveDecision(bench.database, entryKey, 'accepted', 'Ada');
    const broken = await bench.sync(smallFeed, {
      whileRunning(running) {
        let withdrawn = 0;
        Object.defineProperty(running.counts, 'withdrawn', {
          enumerable: true,
          get: () => withdrawn,
          set(count: number) {
            withdrawn = count;
            running.cancel('Bob');
          },
        });
      },
    });
    expect(broken).toMatchObject({ state: 'cancelled', withdrawn: 1000 });
    expect(await sync()).toMatchObject({ state: 'succeeded', withdrawn: 900 });
    expect(await listed()).toBe(100);
  });

  describe('one truncated document of many in a part', () => {
    const [one] = smallFeed.parts;
    const addresses = [1, 2, 3].map((number) => `small.example/one-${number}.json`);
    const feed: Feed = {
      ...smallFeed,
      parts: [
        {
          ...(one as Part),
          contents: async (publication) => ({
            documents: await Promise.all(
              addresses.map((address) => publication.open(`https://${address}`)),
            ),
            isComplete: true,
          }),
        },
      ],
    };
    const publishAll = (...contents: readonly (readonly SmallRecord[])[]) =>
      Promise.all(contents.map((content, index) => bench.publish(addresses[index] ?? '', content)));
    const all = [numbered(1, 100), numbered(101, 200), numbered(201, 300)] as const;

    beforeEach(async () => {
      await publishAll(...all);
      await bench.sync(feed);
    });

    test('withdraws nothing without approval, although few of all records are missing', async () => {
      await publishAll(all[0], all[1], numbered(201, 260));
      const run = await bench.sync(feed);
      expect(run).toMatchObject({ withdrawn: 0 });
      expect(run.warnings[0]).toContain(
        'lists only 260 of the 300 records known before (AlmaLinux patches). https://small.example/one-3.json is much smaller than before.',
      );
      expect(await pending()).toMatchObject([{ records: 40 }]);
      expect(await bench.sync(feed)).toMatchObject({ withdrawn: 0 });
      await saveDecision(bench.database, entryKey, 'accepted', 'Ada');
      expect(await bench.sync(feed)).toMatchObject({ state: 'succeeded', withdrawn: 40 });
      expect((await bench.sync(feed)).message).toBe('Nothing new: all 3 documents are unchanged.');
    });

    test.each([
      [
        'fewer than 20 records',
        [all[0], all[1], numbered(201, 281).map((record) => ({ ...record, title: 'T' }))],
      ],
      [
        'documents of about their size',
        [numbered(21, 100), numbered(101, 180), numbered(201, 280)],
      ],
    ])('withdraws %s', async (_, contents) => {
      await publishAll(...contents);
      expect(await bench.sync(feed)).toMatchObject({
        state: 'succeeded',
        withdrawn: 300 - contents.flat().length,
      });
    });
  });
});
