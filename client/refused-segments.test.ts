/** Attacks on the lists of a published tree whose head is right, each refused by its name in docs/catalogue-format.md. */
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { headPath } from '@patch/contract/tree/tree-head.ts';
import { expect, test } from 'vitest';
import { type PublishedTree, recordLine } from './testing/published-tree.ts';
import { attackWith, publishTitles, readTreeFile } from './testing/tree-attacks.ts';
import { readLiveLines, titles, withTreeClient } from './testing/tree-client.ts';
import type { TreeFault } from './testing/tree-repository.ts';

const client = withTreeClient();
/** The version of the head has been seen. */
const attackOn = attackWith(client, ['tree.json']);

/** A segment that the catalogue's key has signed, and that is not as it says. */
const segmentAttack = (
  title: string,
  fault: string,
  lines: readonly string[],
  announced: Parameters<PublishedTree['addSegment']>[3] = {},
) =>
  attackOn(title, fault, async (tree) => {
    const { revision } = tree.list('almalinux_patch');
    await tree.change('almalinux_patch', titles(3, 'true'));
    await tree.addSegment('almalinux_patch', revision, lines, announced);
    tree.publish();
  });
const [one = '', two = '', three = ''] = titles(3, 'true').values();
segmentAttack('a zstd bomb', 'too_long', [recordLine(1, '0'.repeat(50_000_000))], {
  plainBytes: 400,
});
segmentAttack('a segment with fewer lines than announced', 'malformed', [one, two, three], {
  lines: 4,
});
segmentAttack('a segment that is shorter than announced', 'malformed', [one, two], {
  plainBytes: 4_000,
});
segmentAttack('records out of order', 'malformed', [two, one, three]);
segmentAttack('a record twice', 'malformed', [one, one, three]);
segmentAttack('a line that is no record', 'malformed', [one, '{"title":"x"}']);
segmentAttack('a segment of another period', 'malformed', [one, two, three], { period: 1 });

const faulty = (
  title: string,
  fault: string,
  find: (path: string, tree: PublishedTree) => TreeFault | null,
) =>
  attackOn(title, fault, async (tree) => {
    await publishTitles(tree);
    // Without the newest segment the index is needed.
    await publishTitles(tree);
    client.repository.fault = (path) => find(path, tree);
  });
const atEnding = (ending: string, fault: TreeFault) => (path: string) =>
  path.endsWith(ending) ? fault : null;
faulty('an endless head', 'too_long', atEnding(headPath, { kind: 'endless' }));
faulty('an endless root', 'too_long', atEnding('root/2.jsonl', { kind: 'endless' }));
faulty('an endless index', 'too_long', atEnding('.index', { kind: 'endless' }));
faulty('an endless segment', 'too_long', atEnding('.sealed', { kind: 'endless' }));
faulty('a truncated index', 'truncated', atEnding('.index', { kind: 'cut' }));
faulty('a truncated segment', 'truncated', atEnding('.sealed', { kind: 'cut' }));
faulty('other bytes of an index', 'wrong_hash', (path, tree) =>
  path.endsWith('.index')
    ? { bytes: Buffer.from(readTreeFile(tree, path)).fill('x', 20, 21) }
    : null,
);
faulty('one wrong bit of a segment', 'wrong_hash', (path, tree) => {
  if (!path.endsWith('.sealed')) return null;
  const bytes = Buffer.from(readTreeFile(tree, path));
  bytes[30] = (bytes[30] ?? 0) ^ 1;
  return { bytes };
});
faulty('the segment of another head', 'wrong_hash', (path, tree) => {
  if (!path.endsWith('.sealed')) return null;
  const { length } = readTreeFile(tree, path);
  const other = readTreeFile(
    tree,
    [...tree.files.keys()].find((name) => name.endsWith('.sealed')) ?? '',
  );
  return { bytes: Buffer.concat([other, Buffer.alloc(length)]).subarray(0, length) };
});

test('fetches a list again whose digest differs, and refuses it when it still does', async () => {
  const { tree, folder } = client;
  await publishTitles(tree, 'second');
  await client.call();
  await tree.change('almalinux_patch', titles(2, 'new'));
  const before = readLiveLines(folder, 'almalinux_patch');
  tree.publish({
    lists: (lists) => lists.map((list) => ({ ...list, digest: hash('md5', list.list) })),
  });
  const { exit, complaints } = await client.call();
  expect([exit, complaints]).toEqual([
    3,
    'almalinux_patch: the copy differs from the published list. It is fetched again.\nThe published catalogue is refused, wrong_digest: The copy of almalinux_patch differs from the published list.\n',
  ]);
  expect(readLiveLines(folder, 'almalinux_patch')).toEqual(before);
  expect(existsSync(join(folder, 'almalinux_patch.segment'))).toBe(false);
  tree.publish();
  expect((await client.call()).exit).toBe(0);
  client.expectCopies();
});
