/** Finds the package by which an administrator knows an advisory, among the dozens that its sources build. */
import { fold } from '../definition/fold.ts';

/** Words between the names in a title: `httpd:2.4 security update`, `linux, linux-aws vulnerabilities`. */
const separators = /[\s:;,()/]+/;

/**
 * Returns the name that the title has as a word; otherwise the one that shares most parts with the title's words (`kernel-default` of
 * "the Linux Kernel"), and among those the one on which most others build (`kernel-default-devel`). Undefined without names.
 */
export function leadingPackage(title: string | null, names: readonly string[]): string | undefined {
  const words = fold(title ?? '').split(separators);
  const unique = [...new Set(names)];
  for (const word of words) {
    const named = word === '' ? undefined : unique.find((name) => fold(name) === word);
    if (named !== undefined) return named;
  }
  const known = new Set(words);
  const ranks = new Map(
    unique.map((name) => [
      name,
      {
        shared: fold(name)
          .split('-')
          .filter((part) => known.has(part)).length,
        others: unique.filter((other) => other.startsWith(`${name}-`)).length,
      },
    ]),
  );
  const rank = (name: string) => ranks.get(name) ?? { shared: 0, others: 0 };
  return unique.toSorted(
    (a, b) =>
      rank(b).shared - rank(a).shared ||
      rank(b).others - rank(a).others ||
      a.length - b.length ||
      (a < b ? -1 : 1),
  )[0];
}
