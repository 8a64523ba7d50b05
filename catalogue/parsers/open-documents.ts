/** Opens many small documents of one vendor, a few at a time. */
import { NotPublished } from '../definition/document-errors.ts';
import type { Document, OpenOptions, Publication } from '../definition/feed.ts';

export interface Wanted {
  readonly url: string;
  readonly options?: OpenOptions;
}

const atOnce = 6;

/**
 * Returns documents by address, in the requested order, without those that are not published. The copy in `last` replaces a
 * document that is no longer published, and `onCopy` is called. The first other failure ends the call.
 */
export async function openMany(
  publication: Publication,
  wanted: Iterable<Wanted>,
  last: readonly Document[] = [],
  onCopy: (url: string) => void = () => {},
): Promise<Map<string, Document>> {
  const opened = new Map<string, Document>();
  const copies = new Map(last.map((document) => [document.url, document]));
  const distinct = [...new Map([...wanted].map((one) => [one.url, one])).values()];
  const waiting = distinct.values();
  let failed = false;
  const worker = async () => {
    for (const { url, options } of waiting) {
      if (failed) return;
      try {
        opened.set(url, await publication.open(url, options));
      } catch (error) {
        const copy = copies.get(url);
        if (error instanceof NotPublished && copy !== undefined) {
          opened.set(url, copy);
          onCopy(url);
        } else if (!(error instanceof NotPublished)) {
          failed = true;
          throw error;
        }
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return new Map(
    distinct.flatMap(({ url }): [string, Document][] => {
      const document = opened.get(url);
      return document === undefined ? [] : [[url, document]];
    }),
  );
}

/**
 * Opens a document that adds to the records of another. It is requested each time, and its last copy is used while it is unavailable.
 * Returns no document when it was never published.
 */
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
