/** The publishing thread, with a bucket that refuses at first. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OpenDatabase } from '../../platform/database/schema/open-database.ts';
import { describeWithDatabase } from '../../testing/databases.ts';
import { writeTitled } from '../../testing/record-factories.ts';
import { readChangeStates } from '../clients/change-store.ts';
import { createRoot } from './make-root.ts';
import { readPublishing } from './publishing-state-store.ts';
import { type Publishing, startPublishing } from './start-publishing.ts';
import { BucketDouble } from './testing/bucket-double.ts';
import { treeFolder } from './tree-place.ts';

const key = Buffer.alloc(32, 7);

describeWithDatabase('publishing to a bucket', (open) => {
  let database: OpenDatabase;
  let base: string;
  let double: BucketDouble;
  let publishing: Publishing | null = null;

  beforeEach(async () => {
    database = await open();
    base = mkdtempSync(join(tmpdir(), 'publishing-'));
    double = new BucketDouble();
    await double.start();
  });
  afterEach(async () => {
    await publishing?.stop();
    await double.stop();
    rmSync(base, { recursive: true, force: true });
  });

  test('publishes in the folder while the bucket refuses, says so once, and copies when it accepts', async () => {
    const { place, keyId, secretKey } = double.access('tree');
    const config = {
      dataDir: base,
      publishTo: place,
      publishKeyId: keyId,
      publishSecretKey: secretKey,
    };
    const folder = treeFolder(config);
    if (folder === null) throw new Error('No folder');
    const { epoch } = await readChangeStates(database);
    await createRoot(
      { folder, keysFolder: join(base, 'keys'), secret: key, epoch, expires: Date.now() + 1e9 },
      { count: 1, threshold: 1 },
    );
    await writeTitled(database, 'debian_patch', ['a'], { category: 'first' }, Date.now());
    const logged: (readonly [string, object])[] = [];
    const note = (about: object, words: string) => void logged.push([words, about]);
    const log = { info: note, warn: note, error: note, debug: () => undefined };
    publishing = startPublishing({ database, config, key, log } as never);
    const state = (now = Date.now()) => readPublishing(database, 'bucket', now);
    expect(await state()).toEqual({
      state: 'waiting',
      place: 'bucket',
      triedAt: null,
      publishedAt: null,
      reason: null,
    });
    double.faultOf = () => 'refused';
    await publishing?.publishNow();
    expect(await state()).toMatchObject({
      state: 'failed',
      publishedAt: null,
      reason: expect.stringContaining('refused a GET with 403 AccessDenied. Give the key'),
    });
    await publishing?.publishNow();
    expect(readdirSync(folder.published)).toContain('head.jsonl');
    expect(double.objects.size).toBe(0);
    expect(logged).toEqual([
      ['published the catalogue', expect.objectContaining({ lists: ['debian_patch'] })],
      [
        'the catalogue cannot be published',
        { reason: expect.stringContaining('refused a GET with 403 AccessDenied. Give the key') },
      ],
    ]);
    double.faultOf = () => null;
    await publishing?.publishNow();
    const done = await state();
    expect(done).toMatchObject({ state: 'published', reason: null });
    expect(done.publishedAt).toBe(done.triedAt);
    expect(await state(Date.now() + 4 * 3_600_000)).toMatchObject({ state: 'silent' });
    expect(logged.slice(2)).toEqual([
      ['copied the catalogue to the bucket', expect.objectContaining({ written: 4, removed: 0 })],
    ]);
    expect(double.objects.get('tree/head.jsonl')?.bytes).toEqual(
      readFileSync(join(folder.published, 'head.jsonl')),
    );
    const seen = double.requests.length;
    await publishing?.publishNow();
    expect(double.requests).toHaveLength(seen);
    // Another list, which the bucket refuses: clients still have what was published before.
    await writeTitled(database, 'debian_patch', ['b'], { category: 'second' }, Date.now());
    double.faultOf = () => 'refused';
    await publishing?.publishNow();
    expect(await state()).toMatchObject({ state: 'failed', publishedAt: done.publishedAt });
    expect(await readPublishing(database, null, Date.now())).toMatchObject({ state: 'off' });
  });
});
