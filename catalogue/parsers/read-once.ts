/** A document that several parts of a feed look things up in is read once for all of them, not once for each. */
import type { Document } from '../definition/feed.ts';

/** Keeps what was read last, while the documents are the same. What fails is read again. */
export function readOnce<Read>(
  read: (documents: readonly Document[]) => Promise<Read>,
): (documents: readonly Document[]) => Promise<Read> {
  let last: { readonly of: string; readonly reading: Promise<Read> } | null = null;
  return (documents) => {
    const of = documents.map(({ sha256 }) => sha256).join(' ');
    if (last?.of === of) return last.reading;
    const reading = read(documents);
    const kept = { of, reading };
    last = kept;
    reading.catch(() => {
      if (last === kept) last = null;
    });
    return reading;
  };
}
