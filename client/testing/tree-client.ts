/** A client of a published tree in a folder of its own, and what its user sees of it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createActivationCode, randomLetters } from '@patch/contract/licensing/activation-code.ts';
import { afterEach, beforeEach, expect } from 'vitest';
import { callClient, spawnClient } from './called-client.ts';
import { PublishedTree, recordLine } from './published-tree.ts';
import { startTreeRepository, type TreeRepository } from './tree-repository.ts';

export const families = {
  almalinux_patch: 'almalinux',
  debian_patch: 'debian',
  vulnerabilities: null,
} as const;

const environment = {
  PATCH_ACTIVATION_CODE: createActivationCode(Buffer.alloc(randomLetters)),
};

/** Returns the lines that a reader of the copy counts, by id. */
export function readLiveLines(folder: string, list: string): ReadonlyMap<number, string> {
  const live = new Map<number, string>();
  for (const line of readFileSync(join(folder, `${list}.jsonl`), 'utf8')
    .split('\n')
    .slice(0, -1)) {
    const { id, withdrawnTime } = JSON.parse(line) as { id: number; withdrawnTime: number | null };
    if (withdrawnTime === null) live.set(id, line);
    else live.delete(id);
  }
  return live;
}

/** Returns the content of each file of a folder. */
export const readFolder = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'latin1')]),
  );

export const titles = (count: number, words = 'title', first = 1): ReadonlyMap<number, string> =>
  new Map(
    Array.from({ length: count }, (_, n) => [first + n, recordLine(first + n, `${words} ${n}`)]),
  );

export interface TreeClient {
  readonly folder: string;
  readonly tree: PublishedTree;
  readonly repository: TreeRepository;
  call(...more: string[]): ReturnType<typeof callClient>;
  /** Runs a process. */
  spawn(more: Readonly<Record<string, string>>, ...args: string[]): ReturnType<typeof spawnClient>;
  /** Each list of the licence must be as published. */
  expectCopies(...lists: string[]): void;
  /** The two lists of another folder must be as published. */
  expectCopiesIn(folder: string): void;
}

/** Starts a repository with two lists for each test. */
export function withTreeClient(): TreeClient {
  let [folder, tree, repository]: [string, PublishedTree | null, TreeRepository | null] = [
    '',
    null,
    null,
  ];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'patch-tree-'));
    tree = new PublishedTree(families);
    repository = await startTreeRepository(tree);
    await tree.change('almalinux_patch', titles(20));
    await tree.change('debian_patch', titles(5, 'package'));
    tree.publish();
  });
  afterEach(async () => {
    await repository?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const present = <T>(value: T | null): T => {
    if (value === null) throw new Error('The test has not begun.');
    return value;
  };
  const licensed = ['almalinux_patch', 'debian_patch'];
  const expectLists = (copies: string, lists: readonly string[]) => {
    for (const list of lists)
      expect([...readLiveLines(copies, list)].toSorted(([a], [b]) => a - b)).toEqual(
        [...present(tree).list(list).live].toSorted(([a], [b]) => a - b),
      );
  };
  const args = (more: readonly string[]) => [
    '--server',
    present(repository).url,
    '--folder',
    folder,
    '--tries',
    '2',
    ...more,
  ];
  return {
    get folder() {
      return folder;
    },
    get tree() {
      return present(tree);
    },
    get repository() {
      return present(repository);
    },
    call: async (...more) => callClient(args(more), environment),
    spawn: (more, ...given) => spawnClient(args(given), { ...environment, ...more }),
    expectCopies(...lists) {
      expectLists(folder, lists.length > 0 ? lists : licensed);
    },
    expectCopiesIn: (other) => expectLists(other, licensed),
  };
}
