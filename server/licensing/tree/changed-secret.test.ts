/** A tree whose service was given another secret key, from which the keys of families and heads follow. */
import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { handedPeriod } from '@patch/contract/tree/family-keys.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRoot, renewRoot } from './make-root.ts';
import { publishTree } from './publish-tree.ts';
import { MadeUpList } from './testing/made-up-list.ts';
import { TreeReader } from './testing/tree-reader.ts';
import { TreeFolder } from './tree-folder.ts';
import { FamilyKeys } from './tree-keys.ts';

const epoch = 'epoch';
const now = Date.now();
const day = 24 * 3_600_000;
const first = Buffer.alloc(32, 7);
const next = Buffer.alloc(32, 8);

let base: string;
let folder: TreeFolder;
let list: MadeUpList;

beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), 'changed-secret-'));
  folder = new TreeFolder(join(base, 'published'), join(base, 'own'));
  list = new MadeUpList('almalinux_patch', 'almalinux');
  list.write([1, 2, 3], 'first');
  await createRoot(rootParts(first), { count: 3, threshold: 2 });
  await publish(first);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const rootParts = (secret: Uint8Array) => ({
  folder,
  keysFolder: join(base, 'keys'),
  secret,
  epoch,
  expires: now + 365 * day,
});
const publish = (secret: Uint8Array, at = now) =>
  publishTree(
    { folder, epoch, secret, keys: new FamilyKeys(secret), clock: () => at },
    new Map([[list.name, list.withSource]]),
  );
const handed = (secret: Uint8Array) => {
  const period = handedPeriod(now);
  const key = new FamilyKeys(secret).keyAt('almalinux', period);
  return { period, keys: { almalinux: Buffer.from(key).toString('base64') } };
};
const readAnew = (secret: Uint8Array, version: number) =>
  new TreeReader(folder.published, list.name, version).follow(handed(secret), now);

test('seals the lists with the keys of another secret when the next root names it', async () => {
  const rows = await readAnew(first, 1);
  await renewRoot(rootParts(next), { newKeys: false });
  await publish(next);
  expect(await readAnew(next, 2)).toEqual(rows);
  list.write([2], 'second');
  await publish(next);
  expect(await readAnew(next, 2)).toHaveLength(3);
  expect((await publish(next)).isHeadNew).toBe(false);
});

test('signs the head again when a first root of another secret takes the place of the former', async () => {
  const rows = await readAnew(first, 1);
  rmSync(join(folder.published, 'root'), { recursive: true });
  await createRoot(rootParts(next), { count: 3, threshold: 2 });
  await publish(next);
  expect(await readAnew(next, 1)).toEqual(rows);
});

test('keeps what former heads lead to when the lists are published again', async () => {
  list.write([2], 'second');
  await publish(first, now + 1000);
  await renewRoot(rootParts(next), { newKeys: false });
  const former = await folder.files();
  // The age of a file is that of the machine's clock.
  const written = new Date(now - 10 * day);
  for (const path of former) utimesSync(join(folder.published, path), written, written);
  await publish(next, now + day);
  expect(await folder.files()).toEqual(expect.arrayContaining([...former]));
  await publish(next, now + 4 * day);
  expect((await folder.files()).filter((path) => former.includes(path))).toEqual([]);
});
