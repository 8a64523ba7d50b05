/** A tree that is published at another place than before, where its root alone is. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createRoot } from './make-root.ts';
import { publishTree } from './publish-tree.ts';
import { MadeUpList } from './testing/made-up-list.ts';
import { readTreeHead } from './testing/tree-reader.ts';
import { TreeFolder } from './tree-folder.ts';
import { FamilyKeys } from './tree-keys.ts';

const secret = Buffer.alloc(32, 7);
const epoch = 'epoch';
const now = Date.now();
const list = new MadeUpList('almalinux_patch', 'almalinux');
const keys = new FamilyKeys(secret);

let base: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'moved-tree-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const place = (name: string) => new TreeFolder(join(base, name), join(base, 'own'));
const publish = async (folder: TreeFolder) => {
  await publishTree(
    { folder, epoch, secret, keys, clock: () => now },
    new Map([[list.name, list.withSource]]),
  );
  return (await readTreeHead(folder.published, null, now)).lists[0];
};

test('has the revision and the digest of before, so that readers who are up to date fetch nothing', async () => {
  const [former, moved] = [place('former'), place('moved')];
  const expires = now + 86_400_000;
  const root = { folder: former, keysFolder: join(base, 'keys'), secret, epoch, expires };
  await createRoot(root, { count: 1, threshold: 1 });
  list.write([1, 2, 3], 'first');
  await publish(former);
  list.write([2], 'second');
  const before = await publish(former);
  cpSync(join(former.published, 'root'), join(moved.published, 'root'), { recursive: true });
  const { revision, digest } = (await publish(moved)) ?? {};
  expect({ revision, digest }).toEqual({ revision: before?.revision, digest: before?.digest });
});
