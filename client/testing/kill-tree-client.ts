/** Kills clients of a published tree at random moments. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { recordLine } from './published-tree.ts';
import { type TreeClient, titles } from './tree-client.ts';

const random = (below: number) => Math.floor(Math.random() * below);

/** Most runs end so many milliseconds after they have asked for the head. */
const usualRunMs = 120;
const killsBetweenRuns = 4;

/**
 * Publishes and kills until so many clients were killed before their end, and returns their number. After every few of them the
 * copies must be as published.
 */
export async function killRepeatedly(client: TreeClient, kills: number): Promise<number> {
  const cache = mkdtempSync(join(tmpdir(), 'patch-compiled-'));
  try {
    expect((await client.call()).exit).toBe(0);
    let killed = 0;
    while (killed < kills) {
      await publishSomething(client);
      if (await killOnce(client, cache)) killed += 1;
      if (killed % killsBetweenRuns > 0) continue;
      const { exit, complaints } = await client.call();
      expect([exit, complaints]).toEqual([0, '']);
      client.expectCopies();
    }
    return killed;
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}

/** Returns false when the client had ended before. */
async function killOnce(client: TreeClient, cache: string): Promise<boolean> {
  const { requests } = client.repository;
  requests.length = 0;
  const more = random(8) === 0 ? ['--fresh'] : [];
  const spawned = client.spawn({ NODE_COMPILE_CACHE: cache }, ...more);
  const ended = spawned.done.then(() => true);
  while (!requests.includes('head.jsonl'))
    if (await Promise.race([ended, wait(2, false)])) return false;
  await wait(random(usualRunMs));
  spawned.kill('SIGKILL');
  return (await spawned.done).exit === null;
}

/** Sometimes so much that copies are rewritten. */
async function publishSomething({ tree }: TreeClient): Promise<void> {
  for (const name of ['almalinux_patch', 'debian_patch']) {
    if (random(4) === 0) await tree.change(name, titles(600, `round ${random(1e6)}`));
    const changes = new Map<number, string | null>();
    for (let n = random(9); n >= 0; n -= 1) {
      const id = 1 + random(700);
      const isWithdrawn = tree.list(name).live.has(id) && random(3) === 0;
      changes.set(id, isWithdrawn ? null : recordLine(id, `word ${random(1e6)}`));
    }
    await tree.change(name, changes);
    if (random(6) === 0) await tree.addSegment(name, 0);
  }
  tree.publish();
}
