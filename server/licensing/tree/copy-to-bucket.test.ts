/** Trees of made-up lists that are copied to a bucket, whose service fails at any request. */

import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createChance, pick } from '@patch/catalogue/testing/chance.ts';
import { rounds } from '@patch/catalogue/testing/rounds.ts';
import { headPath, parseHead } from '@patch/contract/tree/tree-head.ts';
import { indexPath, readIndex, segmentPath } from '@patch/contract/tree/tree-index.ts';
import { rootPath } from '@patch/contract/tree/tree-root.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BucketClient } from './bucket-client.ts';
import { BucketFailure } from './bucket-failure.ts';
import { copyToBucket } from './copy-to-bucket.ts';
import { createRoot } from './make-root.ts';
import { publishTree } from './publish-tree.ts';
import { BucketDouble, type BucketFault } from './testing/bucket-double.ts';
import { MadeUpList } from './testing/made-up-list.ts';
import { TreeFolder } from './tree-folder.ts';
import { FamilyKeys } from './tree-keys.ts';

const secret = Buffer.alloc(32, 7);
const epoch = 'first';
const hour = 3_600_000;
const day = 24 * hour;

let base: string;
let folder: TreeFolder;
let double: BucketDouble;
let bucket: BucketClient;
let now: number;
let lists: readonly MadeUpList[];
/** Paths that the bucket's head led to when they were not there. */
let broken: string[];

beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), 'bucket-'));
  folder = new TreeFolder(join(base, 'published'), join(base, 'own'), true);
  double = new BucketDouble();
  await double.start();
  bucket = new BucketClient(double.access('a/tree'), { requestMs: 5_000, pauseMs: 1 });
  now = Date.now();
  lists = [new MadeUpList('one', 'debian'), new MadeUpList('two', null)];
  broken = [];
  double.onChange = () => broken.push(...missingPaths());
  const expires = now + 400 * day;
  await createRoot(
    { folder, keysFolder: join(base, 'keys'), secret, epoch, expires },
    { count: 1, threshold: 1 },
  );
});
afterEach(async () => {
  bucket.close();
  await double.stop();
  rmSync(base, { recursive: true, force: true });
});

const clock = () => now;
const publish = () =>
  publishTree(
    { folder, epoch, keys: new FamilyKeys(secret), secret, clock },
    new Map(lists.map((list) => [list.name, list.withSource])),
  );
const copy = () => copyToBucket({ folder, bucket, clock });
const write = (chance: () => number) => {
  for (const list of lists)
    if (chance() < 0.8)
      list.write(
        Array.from({ length: 3 }, () => Math.floor(chance() * 40)),
        String(chance()),
      );
};
const stored = (path: string) => double.objects.get(`a/tree/${path}`)?.bytes;

/** Follows the bucket's head, as readers do. */
function missingPaths(): readonly string[] {
  const head = stored(headPath);
  if (head === undefined) return [];
  const { catalogue, lists: published } = parseHead(head);
  const missing: string[] = [];
  const find = (path: string) => {
    const bytes = stored(path);
    if (bytes === undefined) missing.push(path);
    return bytes;
  };
  for (let version = 1; version <= catalogue.root; version += 1) find(rootPath(version));
  for (const { list, revision, index, newest } of published) {
    const place = { epoch: catalogue.epoch, list };
    const content = find(indexPath(place, revision, index.sha256));
    const segments = content === undefined ? [] : readIndex(content);
    for (const segment of [newest, ...segments]) find(segmentPath(place, segment));
  }
  return missing;
}

/** Fails a request and all after it, as for a publisher that was killed. */
function killAt(step: number, first: BucketFault): void {
  let left = step;
  double.faultOf = () => {
    left -= 1;
    return left === -1 ? first : left < 0 ? 'cut' : null;
  };
}
const heal = () => {
  double.faultOf = () => null;
};

/** Returns whether the copy was complete. */
const copyOrFail = () =>
  copy().then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof BucketFailure)) throw error;
      return false;
    },
  );

const described = (key: string, bytes: Buffer) => `${key} ${hash('sha256', bytes)}`;
const folderContent = async (): Promise<readonly string[]> => {
  const roots = (await folder.roots()).map((name) => `root/${name}`);
  const paths = [...roots, ...(await folder.files()), headPath];
  return paths
    .map((path) => described(`a/tree/${path}`, readFileSync(join(folder.published, path))))
    .toSorted();
};
const bucketContent = () =>
  [...double.objects].map(([key, { bytes }]) => described(key, bytes)).toSorted();
const keysOf = (content: readonly string[]) => content.map((line) => line.split(' ')[0] ?? '');

/** Publishes so much later that nothing of what was retired is left in the folder. */
async function publishMuchLater(copyEach: () => Promise<unknown> = copy): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    now += 3 * day;
    for (const list of lists) list.write([1], `later ${round}`);
    await publish();
    await copyEach();
  }
}

test('leads to nothing that is missing after a kill at each request, and is repaired by the next call', async () => {
  const chance = createChance(20_261_130);
  let kills = 0;
  for (let round = 0; round < rounds(9); round += 1) {
    write(chance);
    now += Math.floor(chance() * 30 * hour);
    await publish();
    for (let step = 0; ; step += 1) {
      killAt(step, pick(['cut', 'lost reply', 'internal error'] as const, chance));
      if (await copyOrFail()) break;
      kills += 1;
      if (chance() < 0.1) {
        // The publisher goes on meanwhile.
        write(chance);
        now += hour;
        await publish();
      }
    }
    heal();
    await copy();
    expect(bucketContent()).toEqual(expect.arrayContaining([...(await folderContent())]));
  }
  await publishMuchLater();
  expect(double.requests.filter(({ method }) => method === 'DELETE').length).toBeGreaterThan(
    rounds(10),
  );
  expect(bucketContent()).toEqual(await folderContent());
  expect(broken).toEqual([]);
  expect(kills).toBeGreaterThan(rounds(60));
});

test('leads to nothing that is missing while a bucket is repaired that was away for days', async () => {
  write(() => 0.5);
  await publish();
  await copy();
  const first = keysOf(bucketContent());
  double.faultOf = () => 'cut';
  await publishMuchLater(copyOrFail);
  expect(keysOf(bucketContent())).toEqual(first);
  expect(keysOf(await folderContent())).not.toEqual(expect.arrayContaining([...first]));
  let kills = 0;
  for (let step = 0; ; step += 1) {
    killAt(step, 'lost reply');
    if (await copyOrFail()) break;
    kills += 1;
  }
  expect(broken).toEqual([]);
  expect(bucketContent()).toEqual(await folderContent());
  expect(kills).toBeGreaterThan(8);
});

test('sends each file with its type and how long it may be cached, the head last', async () => {
  write(() => 0.5);
  await publish();
  expect(await copy()).toEqual({ written: 6, removed: 0, isComplete: true });
  const kinds = [...double.objects].map(([key, { contentType, cacheControl }]) =>
    [
      key.replace(/^a\/tree\/(?:first\/)?/, '').replace(/[\da-f]{64}/, '…'),
      contentType,
      cacheControl,
    ].join('; '),
  );
  const forever = 'public, max-age=31536000, immutable';
  expect(kinds.toSorted()).toEqual([
    'head.jsonl; application/jsonl; public, max-age=60',
    `one/0-1.….jsonl.zst.sealed; application/octet-stream; ${forever}`,
    `one/1.….index; application/jsonl; ${forever}`,
    `root/1.jsonl; application/jsonl; ${forever}`,
    `two/0-1.….jsonl.zst.sealed; application/octet-stream; ${forever}`,
    `two/1.….index; application/jsonl; ${forever}`,
  ]);
  expect(kinds.at(-1)).toMatch(/^head/);
});

test('asks only for the head when nothing was published', async () => {
  write(() => 0.5);
  await publish();
  await copy();
  double.requests.length = 0;
  expect(await copy()).toEqual({ written: 0, removed: 0, isComplete: true });
  expect(double.requests).toEqual([{ method: 'GET', key: 'a/tree/head.jsonl', isList: false }]);
});

test('lists the bucket when its memory is lost, and sends only what is missing or has another length', async () => {
  const chance = createChance(3);
  for (let round = 0; round < 9; round += 1) {
    write(chance);
    await publish();
  }
  await copy();
  const before = await folderContent();
  const [missing = '', shorter = '', kept = ''] = keysOf(before).filter((key) =>
    key.endsWith('.sealed'),
  );
  for (const lose of [
    (path: string) => rmSync(path),
    (path: string) => writeFileSync(path, '{"paths":'),
  ]) {
    lose(join(folder.own, 'bucket.json'));
    double.objects.delete(missing);
    double.objects.set(shorter, { bytes: Buffer.from('x'), contentType: '', cacheControl: '' });
    double.requests.length = 0;
    expect(await copy()).toMatchObject({ written: 3, removed: 0 });
    expect(double.requests.filter(({ isList }) => isList).length).toBeGreaterThan(2);
    const sent = double.requests.filter(({ method }) => method === 'PUT').map(({ key }) => key);
    expect(sent.toSorted()).toEqual([missing, shorter, 'a/tree/root/1.jsonl'].toSorted());
    expect(sent).not.toContain(kept);
    expect(bucketContent()).toEqual(before);
  }
});

test('fills a bucket that was emptied', async () => {
  write(() => 0.5);
  await publish();
  await copy();
  double.objects.clear();
  await copy();
  expect(bucketContent()).toEqual(await folderContent());
});

test('removes what the publisher removed, and no object that is not of a tree', async () => {
  const others = ['a/tree/README.txt', 'a/tree/first/one/notes.txt', 'a/tree2/x', 'a/other'];
  for (const key of others)
    double.objects.set(key, { bytes: Buffer.from(key), contentType: '', cacheControl: '' });
  write(() => 0.5);
  await publish();
  await copy();
  const first = keysOf(await folderContent()).filter((key) => key.endsWith('.index'));
  await publishMuchLater();
  expect([...double.objects.keys()]).toEqual(expect.arrayContaining(others));
  expect([...double.objects.keys()].filter((key) => first.includes(key))).toEqual([]);
  for (const key of others) double.objects.delete(key);
  expect(bucketContent()).toEqual(await folderContent());
});

test('keeps the files of a lost data folder for two days', async () => {
  write(() => 0.5);
  await publish();
  await copy();
  const former = keysOf(bucketContent()).filter((key) => key.includes('/first/'));
  rmSync(folder.own, { recursive: true });
  rmSync(join(folder.published, 'first'), { recursive: true });
  for (const list of lists) list.write([1], 'anew');
  now += hour;
  await publish();
  await copy();
  expect([...double.objects.keys()]).toEqual(expect.arrayContaining(former));
  now += day;
  await copy();
  expect([...double.objects.keys()]).toEqual(expect.arrayContaining(former));
  now += day + hour;
  await copy();
  expect(bucketContent()).toEqual(await folderContent());
});
