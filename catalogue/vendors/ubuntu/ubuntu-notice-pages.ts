/** The pages of Ubuntu's security notices API, newest first. */
import { z } from 'zod';
import type { Document, PartManifest, Publication } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/document-of.ts';
import { invalidReason } from '../../values/vendor-words.ts';
import { noticeKey } from './ubuntu-notice-record.ts';

/** The API's own limit: a larger page is refused. */
const pageSize = 20;
/** Four times what is published today; more means that the pages do not end. */
const maxPages = 2000;

export interface NoticePage {
  readonly notices: readonly unknown[];
  readonly total: number;
}

/**
 * All pages, every time: the API cannot be asked what has changed, and notices of other years are edited and taken back. Of those behind the
 * newest the last good copy serves when one cannot be had: one page of hundreds must not keep new notices out.
 *
 * They are all that the vendor publishes only when no fewer notices were met than it counts, and it counted alike on every page: one
 * that is published or taken back meanwhile moves the others from page to page, and one may be passed over.
 */
export async function noticePages(publication: Publication): Promise<PartManifest> {
  const documents: Document[] = [];
  const met = new Set<string | number>();
  const totals = new Set<number>();
  let offset = 0;
  while (documents.length < maxPages) {
    const document = await publication.open(
      pageAddress(offset),
      offset === 0 ? {} : { lastGoodCopy: true },
    );
    const { notices, total } = await readPage(document, offset);
    documents.push(document);
    totals.add(total);
    for (const [place, notice] of notices.entries()) met.add(noticeKey(notice) ?? offset + place);
    offset += notices.length;
    if (notices.length === 0 || offset >= total)
      return { documents, whole: totals.size === 1 && met.size >= total };
  }
  throw new BrokenDocument(pageAddress(offset), `the pages do not end after ${maxPages}`);
}

const api = 'https://ubuntu.com/security/notices.json';

function pageAddress(offset: number): string {
  return `${api}?limit=${pageSize}&offset=${offset}&order=newest`;
}

/** The newest page first. */
export function pagesAmong(documents: readonly Document[]): Document[] {
  const offsetOf = ({ url }: Document) => Number(new URL(url).searchParams.get('offset'));
  return documents
    .filter(({ url }) => url.startsWith(`${api}?`))
    .toSorted((one, other) => offsetOf(one) - offsetOf(other));
}

const pageSchema = z.object({
  notices: z.array(z.unknown()),
  total_results: z.int().nonnegative(),
  offset: z.int().nullish(),
});

/** Throws BrokenDocument on what is no page of notices, or another page than the one asked for. */
export async function readPage(document: Document, expectedOffset?: number): Promise<NoticePage> {
  const page = pageSchema.safeParse(parsed(await document.text(), document.url));
  if (!page.success)
    throw new BrokenDocument(
      document.url,
      `it is no page of notices: ${invalidReason(page.error)}`,
    );
  const { notices, total_results: total, offset } = page.data;
  if (expectedOffset !== undefined && typeof offset === 'number' && offset !== expectedOffset) {
    throw new BrokenDocument(
      document.url,
      `it is the page at ${offset}, not the one at ${expectedOffset}`,
    );
  }
  return { notices, total };
}

function parsed(text: string, url: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BrokenDocument(url, `it is not valid JSON: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
