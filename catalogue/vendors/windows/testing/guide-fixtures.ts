/** The guide's documents in the fixtures, and the feed's readings of them. */
import { findPart } from '../../../testing/find-part.ts';
import { publicationFrom } from '../../../testing/publication-from.ts';
import { readAllItems } from '../../../testing/read-all-items.ts';
import { windowsKbFeed } from '../windows-kb-feed.ts';

export const part = findPart(windowsKbFeed, 'msrc');
const publication = publicationFrom(new URL('../fixtures/', import.meta.url), {
  now: Date.UTC(2024, 3, 20),
});
export const contents = await part.contents(publication);
export const readings = await readAllItems(part, contents);
