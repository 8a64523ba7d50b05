/** Tests a client that never reaches the repository: a person brings it the catalogue and its keys. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CarriedKeys } from '@patch/contract/licensing/client-protocol-endpoints.ts';
import { handedPeriod, lastPeriod } from '@patch/contract/tree/family-keys.ts';
import { expect, test } from 'vitest';
import { callClient } from './testing/called-client.ts';
import { PublishedTree } from './testing/published-tree.ts';
import { families, readFolder, titles, withTreeClient } from './testing/tree-client.ts';
import { describeLicence } from './testing/tree-repository.ts';

const client = withTreeClient();

const dayMs = 86_400_000;
const address = 'https://patch.example.org';
/** The code of another client must not be used. */
const environment = { PATCH_ACTIVATION_CODE: 'AAAAA' };
const copy = () => join(client.folder, 'copy');
const keysFile = () => join(client.folder, 'keys.json');

interface Stick {
  readonly tree?: PublishedTree;
  /** Whose keys they are, as the file says. */
  readonly server?: string;
}

/** Writes the catalogue, and the keys as they are given at a time. Returns the client's arguments. */
function fillStick(
  now = Date.now(),
  { tree = client.tree, server = address }: Stick = {},
): readonly string[] {
  const { folder } = client;
  const stick = join(folder, 'stick');
  tree.writeTo(stick);
  const period = handedPeriod(now);
  const keys = tree.familyKeys(period);
  const access = { address: '/tree', root: tree.rootText, period, keys, nextHeartbeat: now };
  const licence = { ...describeLicence(tree), tree: access };
  writeFileSync(keysFile(), JSON.stringify({ server, licence }));
  return ['--folder', copy(), '--from', stick, '--keys', keysFile()];
}

const call = (args: readonly string[]) => callClient(args, environment);

test('follows the catalogue without a call to the repository, as often as it is brought', async () => {
  const { tree, repository } = client;
  for (const round of [1, 2, 3]) {
    await tree.change('debian_patch', titles(3, `round ${round}`, round));
    tree.publish();
    expect(await call(fillStick())).toMatchObject({ exit: 0, complaints: '' });
    client.expectCopiesIn(copy());
  }
  expect([repository.requests, repository.heartbeats]).toEqual([[], []]);
  expect(Object.keys(readFolder(copy()))).not.toContain('client.json');
});

test('refuses what was published after the keys were made, and keeps the copy', async () => {
  const { tree } = client;
  await call(fillStick());
  const before = readFolder(copy());
  tree.period = handedPeriod(Date.now());
  await tree.change('debian_patch', titles(1, 'later'));
  tree.publish();
  const refused = await call(fillStick(Date.now() - dayMs));
  expect(refused).toMatchObject({
    exit: 3,
    complaints: expect.stringMatching(/no_key: .*debian.* bring newer ones with the catalogue/),
  });
  const { 'tree.json': _, ...kept } = readFolder(copy());
  expect(before).toMatchObject(kept);
  expect((await call(fillStick())).exit).toBe(0);
  client.expectCopiesIn(copy());
});

test('refuses an older catalogue than the one that was brought before', async () => {
  const { tree } = client;
  await call(fillStick());
  tree.headVersion -= 1;
  tree.catalogueVersion -= 1;
  await tree.change('debian_patch', titles(1, 'other'));
  tree.catalogueVersion -= 1;
  tree.publish();
  expect((await call(fillStick())).complaints).toContain('older_head');
});

const other = 'https://other.example.org';

test('follows no catalogue of other roots because the file with keys names another repository', async () => {
  const first = await call(fillStick());
  const forged = new PublishedTree(families);
  await forged.change('debian_patch', titles(1, 'forged'));
  forged.publish();
  const { exit, out, complaints } = await call(
    fillStick(Date.now(), { tree: forged, server: other }),
  );
  expect([exit, complaints]).toEqual([3, expect.stringContaining('bad_signature')]);
  expect(first.out).toContain('Trusts root 1 of --keys: 2 of the keys');
  expect(out).toContain(`The keys are of ${other}, and ${copy()} follows ${address}`);
  client.expectCopiesIn(copy());
});

test('goes on when the repository has another address, and accepts nothing older from there', async () => {
  const { tree } = client;
  await call(fillStick());
  const publishFrom = async (server: string, versions: number) => {
    tree.headVersion += versions;
    tree.catalogueVersion += versions;
    tree.publish();
    return call(fillStick(Date.now(), { server }));
  };
  expect((await publishFrom(other, -2)).complaints).toContain('older_head');
  await tree.change('debian_patch', titles(1, 'moved'));
  expect(await publishFrom(other, 2)).toMatchObject({ exit: 0, complaints: '' });
  client.expectCopiesIn(copy());
});

test('names a list that the licence does not cover', async () => {
  const { exit, complaints } = await call([...fillStick(), '--lists', 'patch_repository']);
  expect([exit, complaints]).toEqual([
    3,
    'The licence does not cover patch_repository. It covers: almalinux_patch, debian_patch, vulnerabilities.\n',
  ]);
});

test.each([[['--server', address]], [['--code', 'ABCDE']], [['--changes']]])(
  'rejects --keys with %j',
  async (more) => {
    expect(await call([...fillStick(), ...more])).toMatchObject({
      exit: 2,
      complaints: '--keys needs --from, and cannot be used with --server, --code or --changes.\n',
    });
  },
);

test('rejects --keys without --from', async () => {
  const args = ['--folder', copy(), '--keys', keysFile()];
  expect((await call(args)).complaints).toContain('--keys needs --from');
});

/** Changes the file with keys. */
function changeKeys(change: (keys: CarriedKeys) => object): void {
  const keys = CarriedKeys.parse(JSON.parse(readFileSync(keysFile(), 'utf8')));
  writeFileSync(keysFile(), JSON.stringify(change(keys)));
}

const withTree = (more: object) =>
  changeKeys(({ licence, ...keys }) => ({
    ...keys,
    licence: { ...licence, tree: { ...licence.tree, ...more } },
  }));

test.each(['patch.example.org', 'https://patch.example.org/\u001b[2J'])(
  'names the file when its server is %j',
  async (server) => {
    const args = fillStick();
    changeKeys((keys) => ({ ...keys, server }));
    const { exit, complaints } = await call(args);
    expect([exit, complaints]).toEqual([2, expect.stringContaining('is no file with keys')]);
  },
);

test('names the file with keys when its root is damaged, before and after a root was trusted', async () => {
  const damaged = { exit: 2, complaints: expect.stringContaining('is no file with keys') };
  const [args, root] = [
    fillStick(),
    client.tree.rootText.replace('"threshold":1', '"threshold":2'),
  ];
  withTree({ root });
  expect(await call(args)).toMatchObject(damaged);
  expect(await call(fillStick())).toMatchObject({ exit: 0 });
  withTree({ root });
  expect(await call(args)).toMatchObject(damaged);
});

test('writes no control characters of a file to the terminal', async () => {
  const args = fillStick();
  changeKeys(({ licence, ...keys }) => ({
    ...keys,
    licence: { ...licence, lists: [...licence.lists, 'debian\u001b[2J_patch'] },
  }));
  expect((await call(args)).complaints).toBe('debian [2J_patch: not published.\n');
});

test('reads keys of a licence that covers a family of a later version', async () => {
  const args = fillStick();
  changeKeys(({ licence, ...keys }) => ({ ...keys, licence: { ...licence, families: ['later'] } }));
  expect(await call(args)).toMatchObject({ exit: 0, complaints: '' });
});

test('says that keys may be of another secret when they open nothing', async () => {
  const args = fillStick();
  const key = Buffer.alloc(32).toString('base64');
  withTree({ keys: { almalinux: key, debian: key } });
  const { exit, complaints } = await call(args);
  expect([exit, complaints]).toEqual([3, expect.stringContaining('of an earlier secret')]);
  expect(complaints).not.toContain(key);
});

test('computes no keys from a period that does not exist', async () => {
  const args = fillStick();
  withTree({ period: lastPeriod + 1 });
  expect((await call(args)).complaints).toContain('no_key');
});

test.each([
  ['{', 'is no file with keys'],
  ['{"server": "https://patch.example.org"}', 'is no file with keys'],
  ['[]', 'is no file with keys'],
])('says where to get keys when the file is %j', async (content, words) => {
  const args = fillStick();
  writeFileSync(keysFile(), content);
  const { exit, complaints } = await call(args);
  expect([exit, complaints]).toEqual([2, expect.stringContaining(words)]);
  expect(complaints).toContain('Keys for a closed network');
});

test.each(['utf8', 'utf16le'] as const)(
  'reads a file with keys that PowerShell has written as %s',
  async (encoding) => {
    const args = fillStick();
    const text = readFileSync(keysFile(), 'utf8');
    writeFileSync(keysFile(), `\uFEFF${text}\r\n`, encoding);
    expect(await call(args)).toMatchObject({ exit: 0, complaints: '' });
  },
);

test('says that the file with keys cannot be read when it is a folder', async () => {
  const args = fillStick();
  mkdirSync(join(client.folder, 'folder'));
  const { exit, complaints } = await call([...args, '--keys', join(client.folder, 'folder')]);
  expect([exit, complaints]).toEqual([2, expect.stringContaining('cannot be read')]);
});

test('refuses a file that names no list', async () => {
  const args = fillStick();
  const file = JSON.parse(readFileSync(keysFile(), 'utf8'));
  writeFileSync(keysFile(), JSON.stringify({ ...file, licence: { ...file.licence, lists: [] } }));
  expect(await call(args)).toMatchObject({ exit: 3, complaints: 'The licence covers no list.\n' });
});
