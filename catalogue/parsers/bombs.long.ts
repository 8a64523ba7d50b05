/** Runs the bombs of bombs.test.ts in full size, and those of the slow packers. */
import { expect, test } from 'vitest';
import { archiveOfZeros } from '../testing/archive-from.ts';
import { endlessXml, growthByEndless, growthByRatio, packers } from '../testing/bombs.ts';

test.each(['gzip', 'zstd'] as const)('stops reading %s of a gigabyte', async (name) => {
  expect(await growthByRatio(await packers[name](1024))).toBeLessThan(300);
});

test.each(['xz', 'bzip2'] as const)(
  'gives up %s that opens to 200 times its size',
  async (name) => {
    expect(await growthByRatio(await archiveOfZeros(name, 160))).toBeLessThan(300);
  },
);

test.each(endlessXml)('stops reading 400 megabytes of XML with %s', async (_, head) => {
  expect(await growthByEndless(head, 400)).toBeLessThan(800);
});
