/** Reads a document in which several parts of a feed look things up only once for all of them. */
import type { Document } from '../definition/feed.ts';

/** Caches the last reading while the documents are the same; a failed reading is repeated. */
export function readOnce<Read>(
  read: (documents: readonly Document[]) => Promise<Read>,
): (documents: readonly Document[]) => Promise<Read> {
  let last: { readonly key: string; readonly reading: Promise<Read> } | null = null;
  return (documents) => {
    const key = documents.map(({ sha256 }) => sha256).join(' ');
    if (last?.key === key) return last.reading;
    const reading = read(documents);
    const current = { key, reading };
    last = current;
    reading.catch(() => {
      if (last === current) last = null;
    });
    return reading;
  };
}
