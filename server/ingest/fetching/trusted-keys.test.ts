import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTrustedKeys } from './trusted-keys.ts';

test('reads the armored keys of a folder in the order of their names, and none without a folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trusted-keys-'));
  try {
    expect(await readTrustedKeys(join(folder, 'pardus'))).toEqual([]);
    await Promise.all([
      writeFile(join(folder, 'two.asc'), 'second'),
      writeFile(join(folder, 'one.asc'), 'first'),
      writeFile(join(folder, 'readme.txt'), 'no key'),
    ]);
    expect(await readTrustedKeys(folder)).toEqual(['first', 'second']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
