import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { almalinuxFeed } from '@patch/catalogue/vendors/almalinux/almalinux-feed.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { openMigrated } from '../../testing/databases.ts';
import {
  describeWithMirror,
  type RunningMirror,
  startFeedMirror,
} from '../../testing/feed-mirror.ts';
import { httpUpstream } from './http-upstream.ts';
import { changesPage } from './run-record-store.ts';
import { SyncBench } from './testing/sync-bench.ts';

interface Erratum {
  readonly id: string;
  title: string;
}

describeWithMirror('AlmaLinux from the feed mirror', (root) => {
  const document = 'errata.almalinux.org/9/errata.full.json';
  let database: Database;
  let bench: SyncBench;
  let mirror: RunningMirror;

  beforeAll(async () => {
    database = await openMigrated();
    bench = await SyncBench.open(database);
    mirror = await startFeedMirror();
  });
  afterAll(async () => {
    await mirror.stop();
    await bench.close();
    await database.close();
  });

  const limits = { answer: 2000, silence: 500, total: 30_000 };
  const sync = async (from = mirror) => {
    const upstream = httpUpstream(from.url, limits);
    try {
      return await bench.sync(almalinuxFeed, { upstream });
    } finally {
      upstream.close();
    }
  };
  const rows = async () =>
    (
      await database.query(
        'select natural_key, content_hash, withdrawn_time from almalinux_patch order by id',
      )
    ).rows;

  test('a full sync reads what the mirror has', async () => {
    const run = await sync();
    expect(run).toMatchObject({
      state: expect.stringMatching(/^succeeded/),
      changed: 0,
      withdrawn: 0,
    });
    expect(run.message).toMatch(
      /^Added 1,6\d\d records, changed 0, removed 0\.( Skipped \d+ invalid vendor records?\.)? AlmaLinux 10 is not available at the source\.$/,
    );
    expect(await rows()).toHaveLength(run.added);
  });

  test('an unchanged publication is asked with conditions only and changes nothing', async () => {
    const before = await rows();
    await mirror.forgetRequests();
    expect(await sync()).toMatchObject({
      state: 'succeeded',
      added: 0,
      message: expect.stringContaining('Nothing new: all 2 documents are unchanged.'),
    });
    const requests = await mirror.requests();
    expect(requests[document]).toMatchObject({ total: 1, bytes: 0, status: { 304: 1 } });
    expect(await rows()).toEqual(before);
  });

  for (const [kind, value, words] of [
    [
      'truncate',
      0.4,
      /^AlmaLinux 9: .*errata\.full\.json broke off after [\d,]+ of [\d,]+ bytes \(4 attempts/,
    ],
    ['stall', 9000, /^AlmaLinux 9: .* sent no data for 0\.5 s \(4 attempts/],
    ['status', 503, /^AlmaLinux 9: .* answered 503 \(4 attempts/],
    ['corrupt', 5, /^AlmaLinux 9: /],
  ] as const) {
    test(`${kind}: the broken document changes no row, the others are synced, and the next run heals`, async () => {
      const overlay = await newerDocument((errata) => errata);
      const newer = await otherMirror(overlay);
      const before = await rows();
      await newer.fail({ match: '/9/errata', kind, value });
      const run = await sync(newer);
      expect(run).toMatchObject({
        state: 'succeeded_with_warnings',
        added: 0,
        changed: 0,
        withdrawn: 0,
      });
      expect(run.warnings).toEqual([expect.stringMatching(words)]);
      expect(await rows()).toEqual(before);
      await newer.fail();
      expect(await sync(newer)).toMatchObject({
        state: 'succeeded',
        added: 0,
        changed: 0,
        withdrawn: 0,
      });
      expect(await rows()).toEqual(before);
      await sync();
    });
  }

  test('of a newer document exactly the difference is written and logged', async () => {
    let gone = '';
    let retitled = '';
    const overlay = await newerDocument((errata) => {
      const [first, second, ...rest] = errata;
      if (first === undefined || second === undefined) throw new Error('the mirror has no errata');
      gone = first.id;
      retitled = second.id;
      second.title = `${second.title}, once more`;
      return [
        second,
        ...rest,
        { ...structuredClone(second), id: 'ALSA-2099:0001', title: 'Important: quite new' },
      ];
    });
    const newer = await otherMirror(overlay);
    const run = await sync(newer);
    expect(run).toMatchObject({ added: 1, changed: 1, withdrawn: 1 });
    const { rows: changed, total } = await changesPage(database, run.id, 0, 10);
    expect(total).toBe(3);
    const changes = new Map(
      changed.map(({ identity, kind, fields }) => [identity, { kind, fields }]),
    );
    expect(changes.get('ALSA-2099:0001')).toEqual({ kind: 'added', fields: {} });
    expect(changes.get(gone)).toEqual({ kind: 'withdrawn', fields: {} });
    expect(changes.get(retitled)).toEqual({
      kind: 'changed',
      fields: { title: { was: expect.any(String), is: expect.stringContaining(', once more') } },
    });
  });

  async function otherMirror(overlay: string): Promise<RunningMirror> {
    const other = await startFeedMirror({ overlay });
    onTestFinished(async () => {
      await other.stop();
      await rm(overlay, { recursive: true });
    });
    return other;
  }

  /** An overlay folder with another state of AlmaLinux 9; other bytes even when the records are the same. */
  async function newerDocument(change: (errata: Erratum[]) => Erratum[]): Promise<string> {
    const overlay = await mkdtemp(join(tmpdir(), 'overlay-'));
    const current = JSON.parse(await readFile(join(root, document), 'utf8')) as { data: Erratum[] };
    await mkdir(join(overlay, 'errata.almalinux.org/9'), { recursive: true });
    await writeFile(
      join(overlay, document),
      JSON.stringify({ ...current, data: change(current.data) }, null, 1),
    );
    return overlay;
  }
});
