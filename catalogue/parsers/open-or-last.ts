/** A document that adds to the records of another: it is asked for each time, and while the vendor cannot give it, its last copy serves. */
import { NotPublished } from '../definition/document-errors.ts';
import type { Document, OpenOptions, Publication } from '../definition/feed.ts';

/** None where it is not published and never was. */
export async function openOrLast(
  publication: Publication,
  url: string,
  options: OpenOptions = {},
): Promise<readonly Document[]> {
  try {
    return [await publication.open(url, { ...options, lastGoodCopy: true })];
  } catch (error) {
    if (!(error instanceof NotPublished)) throw error;
    return (await publication.readLast()).filter((document) => document.url === url);
  }
}
