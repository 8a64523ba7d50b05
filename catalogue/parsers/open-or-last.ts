/**
 * Opens a document that adds to the records of another. It is requested each time, and its last copy is used while it is
 * unavailable.
 */
import { NotPublished } from '../definition/document-errors.ts';
import type { Document, OpenOptions, Publication } from '../definition/feed.ts';

/** Returns no document when it was never published. */
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
