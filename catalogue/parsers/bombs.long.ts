/** The bombs of bombs.test.ts in full size, and those of the packers that are slow. */
import { test } from 'vitest';
import { archiveOfZeros } from '../testing/archive-from.ts';
import {
  endlessXml,
  expectGivenUpAsEndless,
  expectGivenUpByRatio,
  packers,
} from '../testing/bombs.ts';

test.each(['gzip', 'zstd'] as const)('gives up %s of a gigabyte', async (name) =>
  expectGivenUpByRatio(await packers[name](1024)),
);

test.each(['xz', 'bzip2'] as const)('gives up %s that opens to 200 times its size', async (name) =>
  expectGivenUpByRatio(await archiveOfZeros(name, 160)),
);

test.each(endlessXml)('gives up 400 megabytes of XML with %s', (_, head) =>
  expectGivenUpAsEndless(head, 400),
);
