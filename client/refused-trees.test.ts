/** Attacks on roots and heads of a published tree, each refused by its name in docs/catalogue-format.md. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { headPath } from '@patch/contract/tree/tree-head.ts';
import { writeRoot } from '@patch/contract/tree/tree-root.ts';
import { signatureLine } from '@patch/contract/tree/tree-signatures.ts';
import { expect, test } from 'vitest';
import { createTreeKey, createTreeKeys, PublishedTree } from './testing/published-tree.ts';
import {
  attackWith,
  expectRefusal,
  publishTitles,
  readHeadLines,
  readTreeFile,
  writeHeadLines,
} from './testing/tree-attacks.ts';
import {
  families,
  readFolder,
  readLiveLines,
  titles,
  withTreeClient,
} from './testing/tree-client.ts';

const client = withTreeClient();
const attackOn = attackWith(client);
const hour = 3_600_000;

attackOn('an older head', 'older_head', async (tree) => {
  tree.headVersion -= 2;
  tree.publish();
});
attackOn(
  'an older catalogue that the timestamp key alone signs again',
  'older_head',
  async (tree) => {
    tree.headVersion += 3;
    tree.catalogueVersion -= 2;
    tree.publish();
  },
);
attackOn('another catalogue of the same version', 'older_head', async (tree) => {
  tree.catalogueVersion -= 1;
  await publishTitles(tree);
});
attackOn('an expired timestamp', 'expired', (tree) =>
  tree.publish({ timestamp: { expires: Date.now() - hour } }),
);
attackOn('an expired catalogue', 'expired', (tree) =>
  tree.publish({ catalogue: { expires: Date.now() - hour } }),
);
attackOn('the catalogue of one head under the timestamp of another', 'mixed', async (tree) => {
  await publishTitles(tree, 'second');
  const catalogue = readHeadLines(tree).slice(2);
  await publishTitles(tree, 'third');
  writeHeadLines(tree, [...readHeadLines(tree).slice(0, 2), ...catalogue]);
});
attackOn('a list of one head in another', 'bad_signature', async (tree) => {
  const [, , , list = ''] = readHeadLines(tree);
  await publishTitles(tree);
  writeHeadLines(tree, readHeadLines(tree).with(3, list));
});
attackOn('a head without one of its lists', 'bad_signature', async (tree) => {
  await publishTitles(tree);
  writeHeadLines(tree, readHeadLines(tree).toSpliced(4, 1));
});
attackOn('a head that ends in the middle of a line', 'malformed', async (tree) => {
  await publishTitles(tree);
  tree.files.set(headPath, readTreeFile(tree, headPath).subarray(0, -5));
});
attackOn('a head without its last line', 'malformed', async (tree) => {
  await publishTitles(tree);
  writeHeadLines(tree, readHeadLines(tree).slice(0, -1));
});
attackOn('an empty head', 'malformed', (tree) => void tree.files.set(headPath, Buffer.alloc(0)));
attackOn('a head of another format', 'malformed', (tree) => {
  const [first = '', ...more] = readHeadLines(tree);
  writeHeadLines(tree, [first.replace('"format":1', '"format":2'), ...more]);
});
attackOn('a catalogue that the timestamp key signs', 'bad_signature', async (tree) => {
  const [catalogue] = tree.keys.timestamp;
  tree.publish(catalogue && { signers: { catalogue } });
});
attackOn('a timestamp that the catalogue key signs', 'bad_signature', async (tree) => {
  const [timestamp] = tree.keys.catalogue;
  tree.publish(timestamp && { signers: { timestamp } });
});
attackOn('a head of unknown keys', 'bad_signature', (tree) =>
  tree.publish({ signers: { timestamp: createTreeKey(), catalogue: createTreeKey() } }),
);
attackOn('a head without signatures', 'bad_signature', (tree) =>
  writeHeadLines(tree, readHeadLines(tree).with(1, '{"signatures":[]}')),
);
attackOn(
  'the epoch of a restored repository without a root that says so',
  'foreign_epoch',
  (tree) => tree.publish({ catalogue: { epoch: 'epoch-two' } }),
);
attackOn('a head whose root is withheld', 'older_root', (tree) =>
  tree.publish({ catalogue: { root: 2 } }),
);
attackOn('a path in the place of an epoch', 'malformed', (tree) =>
  tree.publish({ catalogue: { epoch: '../x' } }),
);
attackOn('a path in the place of a list', 'malformed', (tree) =>
  tree.publish({ lists: (lists) => lists.map((list) => ({ ...list, list: '../x' })) }),
);
attackOn('an index of more than 16 MiB', 'malformed', (tree) =>
  tree.publish({
    lists: (lists) =>
      lists.map((list) => ({ ...list, index: { ...list.index, bytes: 16_777_217 } })),
  }),
);
attackOn('a root with a path as its epoch', 'malformed', (tree) =>
  tree.addRoot(tree.keys.root, { epoch: '../x' }),
);
attackOn('a root that only one of two keys signs', 'bad_root', (tree) =>
  tree.addRoot(tree.keys.root.slice(1)),
);
attackOn('a root that one key signs twice', 'bad_root', (tree) => {
  const [key] = tree.keys.root;
  tree.addRoot(key && [key, key]);
});
attackOn('a root that leaves out a version', 'bad_root', (tree) =>
  tree.addRoot(tree.keys.root, { version: 3 }),
);
attackOn(
  'the root before in the place of the next',
  'bad_root',
  (tree) => void tree.files.set('root/2.jsonl', readTreeFile(tree, 'root/1.jsonl')),
);
attackOn('a root that too few keys of the one before sign', 'bad_root', (tree) => {
  const [old] = tree.keys.root;
  tree.keys = { ...tree.keys, root: createTreeKeys().root };
  tree.addRoot(old && [old, ...tree.keys.root]);
});
attackOn('a root that its own keys do not sign', 'bad_root', (tree) => {
  const { root } = tree.keys;
  tree.keys = { ...tree.keys, root: createTreeKeys().root };
  tree.addRoot(root);
});
attackOn('a root with fewer keys than its threshold', 'bad_root', (tree) => {
  const [id = ''] = tree.keys.timestamp.map((key) => key.id);
  tree.addRoot(tree.keys.root, { timestamp: { keys: [id, id], threshold: 2 } });
});
attackOn('a root whose threshold is 0', 'malformed', (tree) =>
  tree.addRoot(tree.keys.root, {
    timestamp: { keys: tree.keys.timestamp.map(({ id }) => id), threshold: 0 },
  }),
);
attackOn('a root that gives a key the id of another', 'bad_root', (tree) => {
  const { keys } = tree.describeRoot();
  const ids = Object.keys(keys);
  tree.addRoot(tree.keys.root, { keys: { ...keys, [ids[0] ?? '']: keys[ids[1] ?? ''] ?? '' } });
});
attackOn('a root that was changed after it was signed', 'bad_root', (tree) => {
  tree.addRoot();
  const text = readTreeFile(tree, 'root/2.jsonl').toString().replace('"expires":1', '"expires":2');
  tree.files.set('root/2.jsonl', Buffer.from(text));
});

test('refuses an expired root, and accepts the next one', async () => {
  const { tree } = client;
  await client.call();
  tree.addRoot(tree.keys.root, { expires: Date.now() - hour });
  tree.publish();
  await expectRefusal(client, 'expired', ['tree.json']);
  tree.addRoot();
  tree.publish();
  expect((await client.call()).exit).toBe(0);
});

test('needs as many keys of a role as its threshold, each counted once', async () => {
  const { tree } = client;
  await client.call();
  const [first = createTreeKey()] = tree.keys.timestamp;
  tree.replaceKeys({ timestamp: [first, createTreeKey()] });
  tree.publish();
  const [line = '', signatures = '', ...more] = readHeadLines(tree);
  const [signature] = (JSON.parse(signatures) as { signatures: unknown[] }).signatures;
  const twice = JSON.stringify({ signatures: [signature, signature] });
  writeHeadLines(tree, [line, twice, ...more]);
  await expectRefusal(client, 'bad_signature', ['tree.json']);
  const [, other = createTreeKey()] = tree.keys.timestamp;
  const both = signatureLine(Buffer.from(`${line}\n`), [first, other]).trimEnd();
  writeHeadLines(tree, [line, both, ...more]);
  expect((await client.call()).exit).toBe(0);
});

test('recovers from a stolen timestamp key that went far ahead, once a root replaces it', async () => {
  const { tree } = client;
  await client.call();
  const { headVersion } = tree;
  tree.headVersion = Number.MAX_SAFE_INTEGER - 1;
  tree.publish();
  expect((await client.call()).exit).toBe(0);
  tree.headVersion = headVersion;
  await publishTitles(tree, 'honest');
  await expectRefusal(client, 'older_head');
  const [stolen = createTreeKey()] = tree.keys.timestamp;
  tree.replaceKeys({ timestamp: [createTreeKey()] });
  tree.publish();
  expect((await client.call()).exit).toBe(0);
  client.expectCopies();
  tree.publish({ signers: { timestamp: stolen } });
  await expectRefusal(client, 'bad_signature');
});

test('accepts several roots at once, and keeps versions that it has seen when keys stay', async () => {
  const { tree } = client;
  await publishTitles(tree);
  await client.call();
  tree.replaceKeys({ root: [createTreeKey(), createTreeKey(), createTreeKey()] });
  tree.replaceKeys({ root: [createTreeKey()] });
  tree.headVersion = 0;
  tree.publish();
  await expectRefusal(client, 'older_head', ['tree.json']);
  tree.headVersion = 9;
  tree.publish();
  expect((await client.call()).exit).toBe(0);
});

test('refuses a first root that is not signed, and trusts nothing', async () => {
  const { tree, folder, repository } = client;
  const text = writeRoot(tree.describeRoot(), []).toString();
  repository.access = (access) => ({ ...access, root: text });
  expect(await client.call()).toMatchObject({
    exit: 3,
    complaints: expect.stringContaining('bad_root'),
  });
  expect(Object.keys(readFolder(folder)).toSorted()).toEqual([
    'access.json',
    'client-lock.db',
    'client.json',
  ]);
});

test('says what to do when the tree was begun anew with other keys, and trusts its new root then', async () => {
  const { tree, folder, repository } = client;
  await client.call();
  const path = join(folder, 'tree.json');
  const anew = new PublishedTree(families);
  await anew.change('almalinux_patch', titles(3, 'anew'));
  await anew.change('debian_patch', titles(4, 'anew'));
  anew.headVersion = tree.headVersion + 100;
  anew.catalogueVersion = tree.catalogueVersion + 100;
  anew.publish();
  repository.tree = anew;
  const refused = await client.call();
  expect(refused).toMatchObject({ exit: 3, complaints: expect.stringContaining('bad_signature') });
  expect(refused.complaints).toContain(`delete ${path}`);
  rmSync(path);
  // The keys of the last heartbeat are those of the former tree.
  expect(await client.call()).toMatchObject({ exit: 0 });
  expect(readLiveLines(folder, 'almalinux_patch')).toEqual(anew.list('almalinux_patch').live);
  expect(repository.heartbeats).toHaveLength(4);
});
