/** Reads the pages of Ubuntu's security notices API, newest first. */
import { z } from 'zod';
import type { Document, PartManifest, Publication } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import { invalidReason } from '../../values/vendor-words.ts';
import { toNoticeKey } from './ubuntu-notice-record.ts';

/** The API's own limit: larger pages are refused. */
const pageSize = 20;
/** Four times the present number; more means that the pages do not end. */
const maxPages = 2000;

export interface NoticePage {
  readonly notices: readonly unknown[];
  readonly total: number;
}

/**
 * Reads all pages every time: the API cannot list changes, and notices of other years are edited and taken back. A page after the first is
 * read from its last good copy when it is unavailable, so that one of hundreds of pages does not block new notices.
 * The pages are complete only when at least as many notices were read as the vendor counts, with the same count on every page: a notice
 * published or taken back meanwhile moves others from page to page, and one may be missed.
 */
export async function openNoticePages(publication: Publication): Promise<PartManifest> {
  const documents: Document[] = [];
  const met = new Set<string | number>();
  const totals = new Set<number>();
  let offset = 0;
  while (documents.length < maxPages) {
    const document = await publication.open(
      toPageAddress(offset),
      offset === 0 ? {} : { lastGoodCopy: true },
    );
    const { notices, total } = await readPage(document, offset);
    documents.push(document);
    totals.add(total);
    for (const [index, notice] of notices.entries()) met.add(toNoticeKey(notice) ?? offset + index);
    offset += notices.length;
    if (notices.length === 0 || offset >= total)
      return { documents, isComplete: totals.size === 1 && met.size >= total };
  }
  throw new BrokenDocument(toPageAddress(offset), `the pages do not end after ${maxPages}`);
}

const api = 'https://ubuntu.com/security/notices.json';

function toPageAddress(offset: number): string {
  return `${api}?limit=${pageSize}&offset=${offset}&order=newest`;
}

/** Returns the pages among the documents, newest first. */
export function findPages(documents: readonly Document[]): Document[] {
  const getOffset = ({ url }: Document) => Number(new URL(url).searchParams.get('offset'));
  return documents
    .filter(({ url }) => url.startsWith(`${api}?`))
    .toSorted((a, b) => getOffset(a) - getOffset(b));
}

const pageSchema = z.object({
  notices: z.array(z.unknown()),
  total_results: z.int().nonnegative(),
  offset: z.int().nullish(),
});

/** @throws BrokenDocument for anything but the requested page of notices */
export async function readPage(document: Document, expectedOffset?: number): Promise<NoticePage> {
  const page = pageSchema.safeParse(parseJson(await document.text(), document.url));
  if (!page.success)
    throw new BrokenDocument(
      document.url,
      `it is not a page of notices: ${invalidReason(page.error)}`,
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

function parseJson(text: string, url: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BrokenDocument(url, `it is not valid JSON: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
