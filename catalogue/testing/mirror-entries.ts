/** What a part of a feed makes of the feed mirror, and the patterns that its text is taken apart with to compare. */
import { expect } from 'vitest';
import type { Entry, Part } from '../definition/feed.ts';
import { allOf } from './all-of.ts';
import { feedMirror } from './describe-with-mirror.ts';
import { publicationFrom } from './publication-from.ts';

/** By natural key. Nothing may be rejected or remarked on, but of what the vendor is known to publish by mistake. */
export async function mirrorEntries(part: Part, mistake?: string): Promise<Map<string, Entry>> {
  const read = await allOf(part.read(await part.contents(publicationFrom(feedMirror))));
  const complaints = read.flatMap((reading) =>
    reading.kind === 'rejection'
      ? reading.rejected
      : reading.kind === 'remark'
        ? reading.remark
        : [],
  );
  expect(complaints.filter((text) => mistake === undefined || !text.startsWith(mistake))).toEqual(
    [],
  );
  return new Map(
    read.filter((reading) => reading.kind === 'entry').map((entry) => [entry.key, entry]),
  );
}

/** The first group of every match. */
export const everyMatch = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, found]) => found ?? '');

export const withoutEntities = (text: string | undefined) =>
  text
    ?.replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll(/&#x([\dA-F]+);/gi, (_, code: string) =>
      String.fromCodePoint(Number.parseInt(code, 16)),
    )
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&amp;', '&');

export const sortedWords = (words: Iterable<string>) => [...new Set(words)].toSorted();
