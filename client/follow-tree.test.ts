/** Tests a client that follows a published tree, as its user sees it. */

import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createChance } from '@patch/catalogue/testing/chance.ts';
import { rounds } from '@patch/catalogue/testing/rounds.ts';
import { expect, test } from 'vitest';
import { recordLine } from './testing/published-tree.ts';
import { families, titles, withTreeClient } from './testing/tree-client.ts';

const client = withTreeClient();

const nothingNew = 'almalinux_patch: nothing new\ndebian_patch: nothing new\n';

test('activates, reads the published lists, then asks only the tree', async () => {
  const { tree, repository, folder } = client;
  const first = await client.call();
  expect(first).toMatchObject({ exit: 0, complaints: '' });
  const ids = tree.keys.root.map(({ id }) => id).join(', ');
  expect(first.out).toMatch(
    new RegExp(
      `^Activated as North Hospital.\nTrusts root 1 of the repository: 2 of the keys ${ids}.\nalmalinux_patch: 20 records, 1 segment, .* s\ndebian_patch: 5 records, 1 segment, .* s\n$`,
    ),
  );
  client.expectCopies();
  expect(repository.heartbeats).toEqual([
    { applicationVersion: '0.1.0' },
    {
      applicationVersion: '0.1.0',
      repoUpdatedOn: expect.any(Number),
      positions: { almalinux_patch: 20, debian_patch: 5 },
    },
  ]);
  expect(statSync(join(folder, 'access.json')).mode & 0o777).toBe(
    process.platform === 'win32' ? 0o666 : 0o600,
  );

  await tree.change(
    'almalinux_patch',
    new Map([
      [3, null],
      [4, recordLine(4, 'changed')],
    ]),
  );
  tree.publish();
  repository.requests.length = 0;
  expect((await client.call()).out).toMatch(
    /^almalinux_patch: 1 records, 1 withdrawn, 1 segment, .* s\ndebian_patch: nothing new\n$/,
  );
  client.expectCopies();
  expect((await client.call()).out).toBe(nothingNew);
  expect(repository.heartbeats).toHaveLength(2);
  // The index is not needed for the last segment.
  expect(repository.requests.map((path) => path.replace(/\.[\da-f]{64}/, ''))).toEqual([
    'root/2.jsonl',
    'head.jsonl',
    'epoch-one/almalinux_patch/20-22.jsonl.zst.sealed',
    'root/2.jsonl',
    'head.jsonl',
  ]);
  expect(repository.headers).not.toHaveProperty('authorization');
  expect(readdirSync(folder).toSorted()).toEqual([
    'access.json',
    'almalinux_patch.jsonl',
    'almalinux_patch.state',
    'client-lock.db',
    'client.json',
    'debian_patch.jsonl',
    'debian_patch.state',
    'tree.json',
  ]);
});

test('follows many random publications with segments of several levels', async () => {
  const { tree } = client;
  const chance = createChance(20_261_130);
  const random = (below: number) => Math.floor(chance() * below);
  let calls = 0;
  await tree.change('vulnerabilities', titles(9, 'CVE'));
  for (let round = 1; round <= rounds(96); round += 1) {
    for (const name of Object.keys(families)) {
      if (random(3) === 0) continue;
      const changes = new Map<number, string | null>();
      for (let n = 0; n <= random(12); n += 1) {
        const id = 1 + random(80);
        const isWithdrawn = random(4) === 0 && tree.list(name).live.has(id);
        changes.set(id, isWithdrawn ? null : recordLine(id, `round ${round}\u2028 ü`));
      }
      await tree.change(name, changes);
      const list = tree.list(name);
      for (const level of [4, 16])
        if (round % level === 0)
          await tree.addSegment(name, list.publications.at(-level - 1)?.revision ?? 0);
      if (round % 20 === 0) {
        list.segments = list.segments.slice(-8);
        await tree.addSegment(name, 0);
      }
    }
    tree.publish();
    if (random(3) > 0) continue;
    calls += 1;
    const more = random(10) === 0 ? ['--fresh'] : [];
    const lists = Object.keys(families);
    const { exit, complaints } = await client.call('--lists', lists.join(','), ...more);
    expect([exit, complaints]).toEqual([0, '']);
    client.expectCopies(...lists);
  }
  expect(calls).toBeGreaterThan(rounds(4));
});

test('rewrites a copy most of whose lines no longer count', async () => {
  const { tree, folder } = client;
  for (let round = 0; round < 3; round += 1) {
    await tree.change('almalinux_patch', titles(400, `round ${round}`));
    tree.publish();
    expect((await client.call()).exit).toBe(0);
    client.expectCopies();
  }
  const countLines = () =>
    readFileSync(join(folder, 'almalinux_patch.jsonl'), 'utf8').split('\n').length - 1;
  expect(countLines()).toBe(1_220);
  await tree.change('almalinux_patch', titles(1, 'last'));
  tree.publish();
  expect((await client.call()).exit).toBe(0);
  expect(countLines()).toBe(401);
  client.expectCopies();
});

test('fetches a copy again that was edited, shortened or whose state is damaged', async () => {
  const { tree, folder } = client;
  await client.call();
  const [copy, state] = [
    join(folder, 'almalinux_patch.jsonl'),
    join(folder, 'almalinux_patch.state'),
  ];
  const damages = [
    () => truncateSync(copy, 100),
    () => writeFileSync(copy, ''),
    () => writeFileSync(state, '{}'),
    () => writeFileSync(state, readFileSync(state).fill(7, statSync(state).size - 1)),
    () => truncateSync(state, statSync(state).size - 24),
    () =>
      writeFileSync(
        state,
        readFileSync(state, 'latin1').replace('"rows":20', '"rows":19'),
        'latin1',
      ),
  ];
  for (const damage of damages) {
    damage();
    expect((await client.call()).out).toMatch(/almalinux_patch: 20 records, 1 segment/);
    client.expectCopies();
  }
  // Lines past the end were appended by a client that was killed.
  writeFileSync(copy, `${readFileSync(copy, 'utf8')}{"id":`);
  expect((await client.call()).out).toBe(nothingNew);
  expect(readFileSync(copy, 'utf8')).toMatch(/}\n$/);
  client.expectCopies();
  // A state of another content has another digest.
  writeFileSync(
    state,
    readFileSync(state, 'latin1').replace(/"digest":".{4}/, '"digest":"0123'),
    'latin1',
  );
  expect(await client.call()).toMatchObject({
    exit: 0,
    complaints: 'almalinux_patch: the copy differs from the published list. It is fetched again.\n',
  });
  client.expectCopies();
  for (let round = 0; round < 3; round += 1) {
    await tree.change('almalinux_patch', titles(400, `round ${round}`));
    tree.publish();
    await client.call();
  }
  writeFileSync(
    copy,
    readFileSync(copy, 'utf8').replace('"title":"round 2 7"', '"title":"round 2 8"'),
  );
  expect(await client.call()).toMatchObject({
    exit: 0,
    complaints: 'almalinux_patch: the copy is damaged. It is fetched again.\n',
  });
  client.expectCopies();
});

test('begins again in a restored repository when a root says so', async () => {
  const { tree } = client;
  await client.call();
  tree.epoch = 'epoch-two';
  for (const list of tree.lists.values())
    Object.assign(list, { segments: [], live: new Map(), revision: 0 });
  await tree.change('almalinux_patch', titles(15, 'restored'));
  // A segment that would fit the position in the repository before.
  await tree.change('almalinux_patch', titles(15, 'restored', 16));
  await tree.change('debian_patch', titles(3, 'restored'));
  tree.headVersion = 0;
  tree.catalogueVersion = 0;
  tree.addRoot();
  tree.publish();
  expect(await client.call()).toMatchObject({
    exit: 0,
    complaints: '',
    out: expect.stringContaining('almalinux_patch: 30 records, 2 segments'),
  });
  client.expectCopies();
});

test('replaces its copy by a snapshot when no other segment leads to the head', async () => {
  const { tree, folder } = client;
  await client.call();
  await tree.change('almalinux_patch', new Map([[1, null]]));
  await tree.change('almalinux_patch', new Map([[2, null]]));
  tree.list('almalinux_patch').segments = [];
  await tree.addSegment('almalinux_patch', 0);
  tree.publish();
  const { out, complaints } = await client.call();
  expect(complaints).toBe('');
  expect(out).toContain('almalinux_patch: 18 records, 1 segment');
  client.expectCopies();
  expect(readFileSync(join(folder, 'almalinux_patch.jsonl'), 'utf8').split('\n')).toHaveLength(19);
});

test('keeps the copy until a new one is complete, and goes on with what it has of it', async () => {
  const { tree, repository } = client;
  await tree.change('almalinux_patch', titles(4, 'second'));
  tree.publish();
  await client.call();
  repository.fault = (path) => (path.includes('almalinux_patch/20-24.') ? { status: 404 } : null);
  const { exit, complaints } = await client.call('--fresh');
  expect([exit, complaints]).toEqual([4, expect.stringContaining('almalinux_patch/20-24.')]);
  client.expectCopies();
  repository.fault = () => null;
  repository.requests.length = 0;
  expect((await client.call()).out).toContain('almalinux_patch: 4 records, 1 segment');
  client.expectCopies();
  expect(repository.requests.filter((path) => path.includes('almalinux_patch/0-'))).toEqual([]);
});
