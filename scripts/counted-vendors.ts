/** Prose that counts lists, sources or vendors: it is wrong as soon as a family is added, and no test tells. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const numbers =
  'eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
const counted = new RegExp(
  `\\b(${numbers.join('|')}|[89]|[1-9]\\d) (?:\\w+ )?(lists|sources|vendors|feeds|families|distributions|publications)\\b`,
  'gi',
);

/** A measurement or a decision tells what was true when it was written. */
const dated = /^docs\/(decisions\/|performance\.md|pages\.md|catalogue\.md)/;

/** `file:line: words`, for each place in these files (relative to the root) that counts them. Small numbers are examples. */
export function countedVendors(root: string, files: readonly string[]): readonly string[] {
  return files
    .filter((file) => !dated.test(file))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, place) =>
          [...line.matchAll(counted)].map(([words]) => `${file}:${place + 1}: ${words}`),
        ),
    );
}
