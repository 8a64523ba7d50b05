import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { trustedKeysIn } from './trusted-keys.ts';

test('the armored keys of a folder, in the order of their names; none where there is no folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trusted-keys-'));
  try {
    expect(await trustedKeysIn(join(folder, 'pardus'))).toEqual([]);
    await Promise.all([
      writeFile(join(folder, 'two.asc'), 'second'),
      writeFile(join(folder, 'one.asc'), 'first'),
      writeFile(join(folder, 'readme.txt'), 'no key'),
    ]);
    expect(await trustedKeysIn(folder)).toEqual(['first', 'second']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
