/** The guide's documents in the fixtures, and the feed's readings of them. */
import { partOf } from '../../../testing/part-of.ts';
import { publicationFrom } from '../../../testing/publication-from.ts';
import { readingsOf } from '../../../testing/readings-of.ts';
import { windowsKbFeed } from '../windows-kb-feed.ts';

export const part = partOf(windowsKbFeed, 'msrc');
const publication = publicationFrom(new URL('../fixtures/', import.meta.url), {
  now: Date.UTC(2024, 3, 20),
});
export const contents = await part.contents(publication);
export const readings = await readingsOf(part, contents);
