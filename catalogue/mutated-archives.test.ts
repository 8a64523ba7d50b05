/** Reads archives of which one file changes at random; mutated-archives.long.ts has the full number. */
import { expect, test } from 'vitest';
import { archives, mutatedArchives, mutatedScanFiles } from './testing/mutated-archives.ts';

const times = 4;

test('reads or refuses an offline scan file of which one member changes at random', async () => {
  const { failures, read } = await mutatedScanFiles(times);
  expect(failures).toEqual([]);
  expect(read).toBeGreaterThan(times / 2);
});

test.each(archives)(
  'reads all the rest when one file of $name changes at random',
  async (archive) => {
    // One bad file of many must not reject the others.
    expect(await mutatedArchives(archive, times)).toEqual({ failures: [], read: times });
  },
);
