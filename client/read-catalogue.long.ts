/** The reader in Python, which was written from docs/catalogue-format.md alone, over trees of this repository. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createChance } from '@patch/catalogue/testing/chance.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PublishedTree, recordLine } from './testing/published-tree.ts';

const program = fileURLToPath(new URL('../scripts/read-catalogue.py', import.meta.url));
const families = { almalinux_patch: 'almaLinux', vulnerabilities: null };
const list = 'almalinux_patch';

let base: string;
let tree: PublishedTree;

beforeEach(async () => {
  base = mkdtempSync(join(tmpdir(), 'catalogue-reader-'));
  tree = new PublishedTree(families);
  await change(createChance(1));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

async function change(chance: () => number): Promise<void> {
  for (const name of Object.keys(families)) {
    const changes = new Map<number, string | null>();
    for (let id = 1; id <= 40; id += 1)
      if (chance() < 0.3 || tree.lists.get(name)?.revision === 0)
        changes.set(id, chance() < 0.2 ? null : recordLine(id, `ö ${chance()}`));
    await tree.change(name, changes);
  }
  tree.publish();
}

/**
 * Runs the reader over the tree's files of now.
 * @param keys - The content of the file with keys.
 */
function read(keys: object = handed()): {
  readonly exit: number | null;
  readonly complaint: string;
} {
  writeFileSync(join(base, 'keys.json'), JSON.stringify(keys));
  rmSync(join(base, 'tree'), { recursive: true, force: true });
  tree.writeTo(join(base, 'tree'));
  const options = ['--from', join(base, 'tree'), '--keys', join(base, 'keys.json')];
  const { status, stderr } = spawnSync('python3', [
    program,
    ...options,
    '--copy',
    join(base, 'copy'),
  ]);
  return { exit: status, complaint: stderr.toString() };
}

const handed = () => ({ period: tree.period, keys: tree.familyKeys(tree.period) });

const copyOf = (name: string) => readFileSync(join(base, 'copy', `${name}.jsonl`), 'utf8');
const published = (name: string) =>
  [...(tree.lists.get(name)?.live ?? [])]
    .toSorted(([one], [other]) => one - other)
    .map(([, line]) => `${line}\n`)
    .join('');

test('has the lists to the byte after each of many publications', async () => {
  const chance = createChance(20_261_130);
  for (let round = 0; round < 30; round += 1) {
    expect(read()).toMatchObject({ exit: 0 });
    for (const name of Object.keys(families)) expect(copyOf(name)).toBe(published(name));
    for (let more = 0; more <= round % 4; more += 1) await change(chance);
  }
});

test('reads the lists that it has keys for, from the file that the service hands out too', () => {
  const { period, keys } = handed();
  const some = { period, keys: { almaLinux: keys['almaLinux'] } };
  const { exit, complaint } = read({ server: 'https://a.example', licence: { tree: some } });
  expect(exit).toBe(0);
  expect(complaint).toContain('Without keys, and left out: vulnerabilities');
  expect(copyOf(list)).toBe(published(list));
  expect(existsSync(join(base, 'copy', 'vulnerabilities.jsonl'))).toBe(false);
});

test('says that a file without keys is none', () => {
  for (const keys of [[], { licence: null }, { licence: { tree: null } }])
    expect(read(keys)).toEqual({
      exit: 2,
      complaint: expect.stringContaining('--keys is not a file of keys'),
    });
});

test('refuses what the document says by its name, and keeps its copy', async () => {
  expect(read()).toMatchObject({ exit: 0 });
  const copy = copyOf(list);
  const before = new Map(tree.files);
  await change(createChance(2));
  const after = new Map(tree.files);
  const segment = [...after.keys()].find(
    (path) => path.endsWith('.sealed') && path.includes(list) && !before.has(path),
  );
  const spoil = (path: string, how: (bytes: Buffer) => Buffer) => {
    tree.files.clear();
    for (const [name, bytes] of after) tree.files.set(name, name === path ? how(bytes) : bytes);
    return read();
  };
  const flip = (bytes: Buffer) =>
    Buffer.from(bytes.map((byte, at) => (at === 40 ? byte ^ 1 : byte)));
  const refused = (name: string) => ({
    exit: 3,
    complaint: expect.stringContaining(`refused: ${name}:`),
  });
  expect(spoil(segment ?? '', flip)).toEqual(refused('wrong_hash'));
  expect(spoil(segment ?? '', (bytes) => bytes.subarray(1))).toEqual(refused('truncated'));
  expect(spoil(segment ?? '', (bytes) => Buffer.concat([bytes, bytes]))).toEqual(
    refused('too_long'),
  );
  const edit = (bytes: Buffer) => Buffer.from(bytes.toString().replace(/"rows":\d+/, '"rows":1'));
  expect(spoil('head.jsonl', edit)).toEqual(refused('bad_signature'));
  expect(copyOf(list)).toBe(copy);
  expect(spoil('', flip)).toMatchObject({ exit: 0 });
  tree.files.set('head.jsonl', before.get('head.jsonl') ?? Buffer.alloc(0));
  expect(read()).toEqual(refused('older_head'));
});
