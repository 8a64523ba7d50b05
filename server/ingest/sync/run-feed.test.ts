import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Feed } from '@patch/catalogue/definition/feed.ts';
import { type ListedRecord, readListDocument } from '@patch/catalogue/parsers/list-document.ts';
import { collect } from '@patch/catalogue/testing/collect.ts';
import { almalinuxList } from '@patch/catalogue/vendors/almalinux/almalinux-list.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { IdRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { readUnfixed } from '../../platform/database/records/package-status-store.ts';
import { findRunsToPrune, readRunsPage, removeRun } from '../runs/run-history-store.ts';
import { readChangesPage, readRejectionsPage, removeRecords } from '../runs/run-record-store.ts';
import { type SmallRecord, smallFeed } from '../testing/small-feed.ts';
import { describeWithBench } from '../testing/sync-bench.ts';

describeWithBench('runFeed', (bench) => {
  afterEach(async () => {
    const left = await readdir(join(bench.folder, 'spool')).catch(() => []);
    if (left.length > 0) throw new Error(`A spool was left behind: ${left.join(', ')}`);
  });

  const publish = bench.publishPart.bind(bench);
  const records = (...ids: string[]): SmallRecord[] =>
    ids.map((id) => ({ id, title: `Title of ${id}`, severity: 'Low' }));
  const many = (count: number, prefix = 'M') =>
    records(...Array.from({ length: count }, (_, index) => `${prefix}-${index}`));

  async function listed(): Promise<string[]> {
    const rows = await queryRows(
      bench.database,
      z.object({ key: z.string() }),
      'select natural_key as key from almalinux_patch where withdrawn_time is null order by natural_key',
    );
    return rows.map(({ key }) => key);
  }

  test('passes a part the remembered facts of another part', async () => {
    await publish('one', records('A'));
    await publish('two', records('B'));
    const [one, two] = smallFeed.parts;
    if (one === undefined || two === undefined) throw new Error('The feed has two parts');
    const remembered: unknown[] = [];
    const feed: Feed = {
      ...smallFeed,
      parts: [
        {
          ...two,
          async contents(publication) {
            remembered.push(await publication.partRemembered?.('one'));
            return two.contents(publication);
          },
        },
        {
          ...one,
          contents: async (publication) => ({
            ...(await one.contents(publication)),
            remember: { until: '2031-04-01' },
          }),
        },
      ],
    };
    await bench.sync(feed);
    await bench.sync(feed);
    expect(remembered).toEqual([null, { until: '2031-04-01' }]);
  });

  test('stores the unfixed vulnerabilities of the last reading of a part', async () => {
    const knowing = (...cves: string[]): Feed => ({
      ...smallFeed,
      parts: smallFeed.parts.slice(0, 1).map((part) => ({
        ...part,
        async *read(contents) {
          yield* part.read(contents);
          for (const cve of cves)
            yield { kind: 'status', release: 'Debian 11', package: 'xen', cve, word: 'open' };
        },
      })),
    });
    const known = async () =>
      (await readUnfixed(bench.database, { releases: ['Debian 11'], packages: ['xen'] })).map(
        ({ cve }) => cve,
      );
    await publish('one', records('A'));
    const first = await bench.sync(knowing('CVE-2031-1000', 'CVE-2031-1001'));
    expect(first).toMatchObject({ state: 'succeeded', added: 1 });
    expect(await known()).toEqual(['CVE-2031-1000', 'CVE-2031-1001']);
    // An unchanged document is not read again, so that the known CVEs remain.
    await bench.sync(knowing());
    expect(await known()).toHaveLength(2);
    await publish('one', records('A', 'B'));
    await bench.sync(knowing('CVE-2031-1001'));
    expect(await known()).toEqual(['CVE-2031-1001']);
  });

  test('adds everything first, then finds nothing new', async () => {
    await publish('one', records('A', 'B'));
    await publish('two', many(450));
    const first = await bench.sync(smallFeed);
    expect(first).toMatchObject({
      state: 'succeeded',
      added: 452,
      changed: 0,
      unchanged: 0,
      rejected: 0,
      stage: '',
      warnings: [],
    });
    expect(first.message).toBe('Added 452 records, changed 0, removed 0.');
    expect(first.endedAt).toBeGreaterThanOrEqual(first.startedAt ?? Number.NaN);
    expect(await listed()).toHaveLength(452);

    const second = await bench.sync(smallFeed);
    expect(second).toMatchObject({
      state: 'succeeded',
      added: 0,
      changed: 0,
      message: 'Nothing new: all 2 documents are unchanged.',
    });
    expect((await readChangesPage(bench.database, second.id, 0, 10)).total).toBe(0);
  });

  test('writes and logs exactly the difference', async () => {
    await publish('one', records('A', 'B', 'C'));
    await publish('two', records('D'));
    await bench.sync(smallFeed);
    await publish('one', [
      ...records('A', 'E'),
      { id: 'B', title: 'Another title', severity: 'Low' },
    ]);
    const run = await bench.sync(smallFeed);
    expect(run).toMatchObject({
      state: 'succeeded',
      added: 1,
      changed: 1,
      withdrawn: 1,
      unchanged: 1,
    });
    const { rows } = await readChangesPage(bench.database, run.id, 0, 10);
    expect(rows.map(({ identity, kind, fields }) => ({ identity, kind, fields }))).toEqual([
      { identity: 'E', kind: 'added', fields: {} },
      {
        identity: 'B',
        kind: 'changed',
        fields: { title: { was: 'Title of B', is: 'Another title' } },
      },
      { identity: 'C', kind: 'withdrawn', fields: {} },
    ]);
    expect(await listed()).toEqual(['A', 'B', 'D', 'E']);

    await publish(
      'one',
      records('A', 'B', 'C', 'E').map((record) =>
        record.id === 'A' ? { ...record, description: 'Now said.' } : record,
      ),
    );
    const next = await bench.sync(smallFeed);
    expect(
      (await readChangesPage(bench.database, next.id, 0, 10)).rows.map(
        ({ identity, kind, fields }) => [identity, kind, fields],
      ),
    ).toEqual(
      expect.arrayContaining([
        ['A', 'changed', { description: { was: null, is: 'Now said.' } }],
        ['C', 'returned', {}],
      ]),
    );
  });

  test('reads unchanged documents again with a new feed version', async () => {
    await publish('one', records('A'));
    await publish('two', records('B'));
    await bench.sync(smallFeed);
    const newer: Feed = { ...smallFeed, version: 2 };
    expect((await bench.sync(newer)).message).toBe('Nothing new: all 2 records are as they were.');
    expect((await bench.sync(newer)).message).toBe('Nothing new: all 2 documents are unchanged.');
  });

  test('rejects invalid records with their reasons, and adds the others', async () => {
    await publish('one', [
      ...records('A', 'A', ''),
      { id: 'A', title: 'Not the same' },
      { id: 'B', title: 42 },
      { id: 'C', title: 'x'.repeat(100_001) },
      { id: 'D', reject: 'The vendor gives no date.' },
      { id: 'E', remark: 'The vendor names a new severity\0.' },
      { id: 'F\ud800', title: 'half a pair in the key' },
      {
        id: 'G',
        title: 'half a pair \ud83d and a nul \0 here, \u2028 and there',
        description: 'nul \0',
      },
    ]);
    await publish('two', records('H'));
    const run = await bench.sync(smallFeed);
    expect(run).toMatchObject({ state: 'succeeded_with_warnings', added: 3, rejected: 6 });
    expect(run.warnings).toEqual(['Small one: The vendor names a new severity.']);
    expect(run.message).toBe(
      'Added 3 records, changed 0, removed 0. Skipped 6 invalid vendor records.',
    );
    const { rows, total } = await readRejectionsPage(bench.database, run.id, 0, 10);
    expect(total).toBe(6);
    expect(rows.map(({ record, reason }) => `${record}: ${reason}`)).toEqual([
      '(record 2): It has no identifier.',
      'A: The vendor lists it twice with different contents. The first entry is used.',
      'B: Title is not a text: 42.',
      expect.stringContaining('C: Title is not a text:'),
      'D: The vendor gives no date.',
      expect.stringContaining('Its identifier is not plain text.'),
    ]);
    expect(await listed()).toEqual(['A', 'G', 'H']);
  });

  test('changes nothing for a broken document, and syncs the other part', async () => {
    await publish('one', records('A', 'B'));
    await publish('two', records('C'));
    await bench.sync(smallFeed);
    await publish('one', JSON.stringify(records('A')).slice(0, -2));
    await publish('two', records('C', 'D'));
    const run = await bench.sync(smallFeed);
    expect(run).toMatchObject({
      state: 'succeeded_with_warnings',
      added: 1,
      changed: 0,
      withdrawn: 0,
    });
    expect(run.message).toBe(
      'Added 1 record, changed 0, removed 0. Small one could not be synced: see the warnings.',
    );
    expect(run.warnings[0]).toMatch(/^Small one: .*JSON/);
    expect(await listed()).toEqual(['A', 'B', 'C', 'D']);
    // The broken document does not count as read, so that the next sync reads the corrected one.
    await publish('one', records('A'));
    expect(await bench.sync(smallFeed)).toMatchObject({ state: 'succeeded', withdrawn: 1 });
  });

  test('fails when all parts fail, with the reason and a suggestion', async () => {
    expect(await bench.sync(smallFeed)).toMatchObject({
      state: 'failed',
      message: expect.stringContaining(
        'Nothing is available at the source (Small one, Small two).',
      ),
    });
    await publish('one', 'no json');
    await publish('two', Buffer.from([0x1f, 0x8b, 8, 0, 0]));
    const run = await bench.sync(smallFeed);
    expect(run.state).toBe('failed');
    expect(run.message).toMatch(/^Small one: .* 1 more failed for the same reason\.$/);
  });

  test('mentions a part that was never published, warns about a missing one and keeps its records', async () => {
    await publish('one', records('A'));
    expect(await bench.sync(smallFeed)).toMatchObject({
      state: 'succeeded',
      message: 'Added 1 record, changed 0, removed 0. Small two is not available at the source.',
    });
    await publish('one', null);
    await publish('two', records('B'));
    const run = await bench.sync(smallFeed);
    expect(run).toMatchObject({ state: 'succeeded_with_warnings', added: 1, withdrawn: 0 });
    expect(run.warnings).toEqual([
      expect.stringContaining(
        'small.example/one.json is no longer published. Its records are kept',
      ),
    ]);
    expect(await listed()).toEqual(['A', 'B']);
  });

  test('passes a feed its last documents without a request, and its known keys', async () => {
    await publish('one', records('A'));
    const seen: unknown[] = [];
    const [one] = smallFeed.parts;
    if (one === undefined) throw new Error('the small feed has no part');
    const curious: Feed = {
      ...smallFeed,
      parts: [
        {
          ...one,
          async contents(publication) {
            seen.push(
              (await publication.readLast()).map(({ url }) => url),
              publication.lastCompleteReadAt,
              await publication.known(almalinuxList, ['A', 'B']),
            );
            return one.contents(publication);
          },
        },
      ],
    };
    const since = Date.now();
    await bench.sync(curious);
    await publish('one', records('A', 'C'));
    await bench.sync(curious);
    expect(seen).toEqual([
      [],
      null,
      new Set(),
      ['https://small.example/one.json'],
      expect.any(Number),
      new Set(['A']),
    ]);
    expect(seen[4]).toBeGreaterThanOrEqual(since);
  });

  test('does not withdraw rejected records', async () => {
    await publish('one', records('A', 'B', 'C'));
    await publish('two', []);
    await bench.sync(smallFeed);
    await publish('one', [
      ...records('A'),
      { id: 'B', title: 42 },
      { id: 'C', reject: 'No date.' },
    ]);
    expect(await bench.sync(smallFeed)).toMatchObject({ withdrawn: 0, rejected: 2 });
  });

  test('keeps the id of a record with a new key, and withdraws nothing', async () => {
    const findId = async (key: string) =>
      (
        await queryRows(
          bench.database,
          IdRow,
          'select id from almalinux_patch where natural_key = $1',
          [key],
        )
      )[0]?.id;
    await publish('one', many(30));
    await bench.sync(smallFeed);
    const ids = [await findId('M-0'), await findId('M-29')];
    await publish(
      'one',
      many(30).map((record) => ({
        ...record,
        id: `new ${record.id}`,
        title: record.title,
        formerKeys: [`old ${record.id}`, record.id],
      })),
    );
    const run = await bench.sync(smallFeed);
    expect(run).toMatchObject({ state: 'succeeded', added: 0, changed: 30, withdrawn: 0 });
    expect([await findId('new M-0'), await findId('new M-29')]).toEqual(ids);
    expect(await listed()).toHaveLength(30);
  });

  test('reads a derived part again when its list has changed', async () => {
    const [one, two] = smallFeed.parts;
    if (one === undefined || two === undefined) throw new Error('the small feed has two parts');
    const seen: ListedRecord[][] = [];
    const curious: Feed = {
      ...smallFeed,
      parts: [
        one,
        {
          ...two,
          contents: async (publication) => ({
            documents: [await publication.openList(almalinuxList)],
            isComplete: false,
          }),
          async *read({ documents: [document] }) {
            seen.push(document === undefined ? [] : await collect(readListDocument(document)));
            yield* [];
          },
        },
      ],
    };
    await publish('one', [
      ...records('B', 'A'),
      { id: 'C', title: 'Long \u2028 line', description: 'One\nTwo' },
    ]);
    await bench.sync(curious);
    await bench.sync(curious);
    expect(seen).toHaveLength(1);
    expect(seen[0]?.map(({ key }) => key)).toEqual(['A', 'B', 'C']);
    expect(seen[0]?.[2]).toMatchObject({
      row: { title: 'Long \u2028 line', releaseDate: 1_700_000_000_000 },
      detail: { description: 'One\nTwo' },
    });
    await publish('one', records('A', 'B'));
    await bench.sync(curious);
    expect(seen[1]?.map(({ key }) => key)).toEqual(['A', 'B']);
  });

  describe('cancelling', () => {
    test('ends the run, keeps written records, and completes in the next run', async () => {
      await publish('one', many(2000));
      await publish('two', records('A'));
      const run = await bench.sync(smallFeed, {
        whileRunning(running) {
          const enter = running.advance.bind(running);
          running.advance = (by) => {
            enter(by);
            if (running.counts.added >= 600) running.cancel('admin');
          };
        },
      });
      expect(run).toMatchObject({
        state: 'cancelled',
        message: 'Cancelled by admin. What had been written stays; the next sync completes it.',
      });
      expect(run.added).toBeGreaterThanOrEqual(600);
      expect(run.added).toBeLessThan(2000);
      expect(await listed()).toHaveLength(run.added);
      expect(await bench.sync(smallFeed)).toMatchObject({
        state: 'succeeded',
        added: 2001 - run.added,
        unchanged: run.added,
      });
    });
  });

  test('prunes old runs without the last success', async () => {
    await publish('one', records('A'));
    await bench.sync(smallFeed);
    await publish('one', null);
    for (let runs = 0; runs < 5; runs++) await bench.sync({ ...smallFeed, parts: [] });
    const pruned = await findRunsToPrune(bench.database, 'almaLinux', 3);
    for (const id of pruned) {
      await removeRecords(bench.database, id);
      await removeRun(bench.database, id);
    }
    const { runs, total } = await readRunsPage(bench.database, 'almaLinux', 0, 10);
    expect(total).toBe(4);
    expect(runs.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed', 'succeeded']);
  });
});
