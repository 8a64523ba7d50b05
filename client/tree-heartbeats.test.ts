/** Tests where a client of a published tree gets its keys, its root and its files from. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callClient } from './testing/called-client.ts';
import { PublishedTree } from './testing/published-tree.ts';
import { families, readFolder, titles, withTreeClient } from './testing/tree-client.ts';
import { startTreeRepository } from './testing/tree-repository.ts';

const client = withTreeClient();

const hour = 3_600_000;
const nothingNew = 'almalinux_patch: nothing new\ndebian_patch: nothing new\n';

test('goes from the tree to changes and back without mixing the copies', async () => {
  const { tree, repository, folder } = client;
  await client.call();
  repository.access = () => null;
  await tree.change('almalinux_patch', new Map([[1, null]]));
  // Until the next heartbeat it is not known that the tree has ended.
  expect((await client.call()).out).toBe(nothingNew);
  expect((await client.call('--changes')).out).toMatch(/^almalinux_patch: 19 records, 1 page/);
  client.expectCopies();
  expect(existsSync(join(folder, 'almalinux_patch.state'))).toBe(false);
  expect((await client.call()).out).toBe(nothingNew);
  expect(repository.changes.at(-1)).toContain('since=cursor');
  const refused = await client.call('--from', folder);
  expect([refused.exit, refused.complaints]).toEqual([
    3,
    expect.stringContaining('leave out --from'),
  ]);
  repository.access = (access) => access;
  tree.publish();
  expect((await client.call()).out).toMatch(
    /^almalinux_patch: 20 records, 1 withdrawn, 2 segments/,
  );
  client.expectCopies();
  expect(existsSync(join(folder, 'almalinux_patch.state.json'))).toBe(false);
});

test('sends a heartbeat when it is due, and goes on without one when the repository is away', async () => {
  const { tree, repository, folder } = client;
  await client.call();
  const access = join(folder, 'access.json');
  const makeDue = () =>
    writeFileSync(
      access,
      readFileSync(access, 'utf8').replace(/"nextHeartbeat":\d+/, '"nextHeartbeat":1'),
    );
  makeDue();
  expect((await client.call()).out).toBe(nothingNew);
  expect(repository.heartbeats).toHaveLength(3);
  expect(repository.heartbeats[2]?.positions).toEqual({ almalinux_patch: 20, debian_patch: 5 });
  expect((await client.call()).out).toBe(nothingNew);
  expect(repository.heartbeats).toHaveLength(3);

  makeDue();
  repository.refusal = 'client_revoked';
  const before = readFolder(folder);
  expect(await client.call()).toEqual({ exit: 3, out: '', complaints: 'It was refused.\n' });
  expect(readFolder(folder)).toEqual(before);
  repository.refusal = null;

  const mirror = await startTreeRepository(tree);
  repository.outage = true;
  await tree.change('debian_patch', titles(1, 'new'));
  tree.publish();
  const away = await client.call('--from', `${mirror.url}/tree/`);
  expect(away).toMatchObject({ exit: 0, out: expect.stringContaining('debian_patch: 1 records') });
  expect(away.complaints).toContain('read with the keys of the last heartbeat');
  client.expectCopies();
  await mirror.close();
});

test('asks once for newer keys when a segment needs them, and refuses with no_key without them', async () => {
  const { tree, repository, folder } = client;
  await client.call();
  const { period } = JSON.parse(readFileSync(join(folder, 'access.json'), 'utf8')).licence.tree;
  tree.period = period + 1;
  await tree.change('almalinux_patch', titles(2, 'later'));
  tree.publish();
  expect(await client.call()).toMatchObject({
    exit: 3,
    complaints: expect.stringContaining(
      'no_key: The repository has given no key of the family almalinux',
    ),
  });
  expect(repository.heartbeats).toHaveLength(3);
  repository.access = (access) => ({
    ...access,
    period: period + 1,
    keys: tree.familyKeys(period + 1),
  });
  expect((await client.call()).exit).toBe(0);
  expect(repository.heartbeats).toHaveLength(4);
  client.expectCopies();
});

test('reads a USB stick whose timestamp has expired, and no catalogue that has', async () => {
  const { tree, folder, repository } = client;
  await client.call();
  await tree.change('almalinux_patch', titles(2, 'on the stick'));
  tree.publish({ timestamp: { expires: Date.now() - hour } });
  const stick = join(folder, 'stick');
  mkdirSync(stick);
  tree.writeTo(stick);
  repository.requests.length = 0;
  expect((await client.call('--from', stick)).out).toContain(
    'almalinux_patch: 2 records, 1 segment',
  );
  expect(repository.requests).toEqual([]);
  client.expectCopies();
  tree.publish({ catalogue: { expires: Date.now() - hour } });
  tree.writeTo(stick);
  expect(await client.call('--from', stick)).toMatchObject({
    exit: 3,
    complaints: expect.stringContaining('expired: The catalogue of the tree expired'),
  });
  expect(await client.call('--from', join(folder, 'absent'))).toMatchObject({
    exit: 4,
    complaints: expect.stringContaining('absent has no head.jsonl'),
  });
});

test('trusts the root of a file rather than that of the repository', async () => {
  const { tree, folder, repository } = client;
  const file = join(folder, 'root.jsonl');
  writeFileSync(file, tree.rootText);
  tree.replaceKeys({ timestamp: new PublishedTree(families).keys.timestamp });
  tree.publish();
  const impostor = new PublishedTree(families);
  repository.access = (access) => ({ ...access, root: impostor.rootText });
  const first = await client.call('--root', file);
  expect(first).toMatchObject({
    exit: 0,
    out: expect.stringContaining(`Trusts root 1 of ${file}: `),
  });
  client.expectCopies();
  expect((await client.call('--root', file)).out).toBe(nothingNew);
  expect(await client.call('--root', join(folder, 'absent'))).toMatchObject({ exit: 2 });
  writeFileSync(file, tree.rootText.slice(1));
  expect(await client.call('--root', file)).toMatchObject({
    exit: 2,
    complaints: expect.stringContaining('--root cannot be read'),
  });
  writeFileSync(join(folder, 'tree.json'), '{}');
  expect(await client.call()).toMatchObject({
    exit: 5,
    complaints: expect.stringContaining('is damaged'),
  });
});

test('follows redirects without a token, and repeats what a connection lost', async () => {
  const { tree, repository } = client;
  const mirror = await startTreeRepository(tree);
  repository.fault = (path) => ({ redirect: `${mirror.url}/tree/${path}` });
  let drops = 0;
  mirror.fault = (path) =>
    path.endsWith('.sealed') && (drops += 1) % 2 === 1 ? { kind: 'drop' } : null;
  const { exit, complaints } = await client.call();
  expect([exit, complaints.match(/Trying again/g)?.length]).toEqual([0, 2]);
  client.expectCopies();
  expect(mirror.headers).not.toHaveProperty('authorization');
  await mirror.close();
  repository.fault = (path) => (path === 'head.jsonl' ? { status: 503 } : null);
  expect(await client.call()).toMatchObject({
    exit: 4,
    complaints: expect.stringContaining('head.jsonl answered 503'),
  });
});

test('says which list of the licence is not published, and asks again for one that it did not cover', async () => {
  const { tree, repository } = client;
  const { out, complaints, exit } = await client.call('--lists', 'vulnerabilities,debian_patch');
  expect([exit, complaints]).toEqual([0, 'vulnerabilities: not published.\n']);
  expect(out).toContain('debian_patch: 5 records');
  await tree.change('vulnerabilities', titles(3, 'CVE'));
  tree.publish();
  expect((await client.call('--lists', 'vulnerabilities')).exit).toBe(0);
  client.expectCopies('vulnerabilities', 'debian_patch');
  expect(repository.heartbeats).toHaveLength(2);
  expect((await client.call('--lists', 'patch_repository')).exit).toBe(3);
  expect(repository.heartbeats).toHaveLength(3);
});

test.each([
  [['--changes', '--from', 'x'], '--changes cannot be used with'],
  [['--root', ''], '--from and --root must name'],
])('rejects the options %j', async (args, words) => {
  const options = ['--server', 'http://127.0.0.1:9', '--folder', client.folder];
  expect(await callClient([...options, ...args])).toMatchObject({
    exit: 2,
    complaints: expect.stringContaining(words),
  });
});

test('reads a large list in little memory', async () => {
  const { tree, folder } = client;
  await tree.change('debian_patch', titles(1_400, 'x'.repeat(50_000)));
  tree.publish();
  const limit = { NODE_OPTIONS: '--max-old-space-size=48' };
  const { done } = client.spawn(limit, '--lists', 'debian_patch');
  expect(await done).toMatchObject({ exit: 0, complaints: '' });
  expect(statSync(join(folder, 'debian_patch.jsonl')).size).toBeGreaterThan(70_000_000);
});
