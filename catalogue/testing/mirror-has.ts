/**
 * Returns whether a mirror's folder has any document of a feed, because a family can be added before there is a copy of its
 * vendor.
 */
import { NotPublished } from '../definition/document-errors.ts';
import type { AnyFeed, Publication } from '../definition/feed.ts';
import { fileInMirror } from '../parsers/mirror-layout.ts';
import { publicationFrom } from './publication-from.ts';

/** Stops at the first address that exists; no document is read. */
export async function mirrorHas(folder: string, feed: AnyFeed): Promise<boolean> {
  let found = false;
  const probing: Publication = {
    ...publicationFrom(folder),
    async open(url) {
      found ||= (await fileInMirror(folder, url)) !== null;
      throw new NotPublished(url);
    },
  };
  for (const part of feed.parts) {
    await part.contents(probing).catch((error: unknown) => {
      if (!(error instanceof NotPublished)) throw error;
    });
    if (found) return true;
  }
  return false;
}
