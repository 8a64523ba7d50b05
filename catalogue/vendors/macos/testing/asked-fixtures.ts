/** The fixtures of the feed, with what was asked for and what is served instead. */
import type { Publication } from '../../../definition/feed.ts';
import { documentFrom } from '../../../testing/document-from.ts';
import { partOf } from '../../../testing/part-of.ts';
import { publicationFrom } from '../../../testing/publication-from.ts';
import { macosFeed } from '../macos-feed.ts';

/** A moment at which the fixtures are new. */
export const now = Date.UTC(2026, 3, 12);
export const fixtures = new URL('../fixtures/', import.meta.url);
export const software = partOf(macosFeed, 'software');

/** `urls`: what was asked for, in that order. `served`: texts in place of the fixtures, by address. */
export function asked(
  over: Partial<Publication> = {},
  served: Readonly<Record<string, string>> = {},
) {
  const publication = publicationFrom(fixtures, { now });
  const urls: string[] = [];
  const open: Publication['open'] = async (url, options) => {
    urls.push(url);
    const text = served[url];
    return text === undefined ? publication.open(url, options) : documentFrom(url, text);
  };
  return { urls, publication: { ...publication, open, ...over } satisfies Publication };
}
