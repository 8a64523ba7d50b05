/** The pages of Apollo's advisories, newest first. */
import { z } from 'zod';
import type { Document, PartManifest, Publication } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/document-of.ts';
import { invalidReason } from '../../values/vendor-words.ts';

/** The API's largest. */
const pageSize = 100;
/** Twelve times what is published today; more means that the pages do not end. */
const maxPages = 1000;

/**
 * All pages, every time: the API cannot be asked what has changed, and advisories of other years are published late, edited and taken
 * back deep among the pages. The next page is always the next number: the links that the API gives are wrong at times.
 *
 * The pages are all that the vendor publishes only when no fewer advisories were met than it counts, and it counted alike on every page: one
 * that is published meanwhile moves the others from page to page, and one may be passed over.
 */
export async function advisoryPages(publication: Publication): Promise<PartManifest> {
  const documents: Document[] = [];
  const met = new Set<string | number>();
  const totals = new Set<number>();
  let records = 0;
  while (documents.length < maxPages) {
    const document = await publication.open(pageAddress(documents.length + 1));
    documents.push(document);
    const { advisories, total } = await readPage(document, documents.length);
    for (const [place, advisory] of advisories.entries())
      met.add(identityOf(advisory) ?? `${documents.length}.${place}`);
    records += advisories.length;
    if (total !== null) totals.add(total);
    const atEnd = advisories.length === 0 || (total !== null && records >= total);
    if (atEnd)
      return {
        documents,
        whole: totals.size <= 1 && [...totals].every((count) => met.size >= count),
      };
  }
  throw new BrokenDocument(pageAddress(maxPages), `the pages do not end after ${maxPages}`);
}

function pageAddress(page: number): string {
  return `https://apollo.build.resf.org/api/v3/advisories/?page=${page}&size=${pageSize}`;
}

/** The number that the vendor's own database knows it by, else its name. */
function identityOf(advisory: unknown): string | number | null {
  const { id, name } = identityForm.safeParse(advisory).data ?? {};
  return id ?? name ?? null;
}

const identityForm = z.object({
  id: z.number().nullish().catch(null),
  name: z.string().nullish().catch(null),
});

interface Page {
  readonly advisories: readonly unknown[];
  readonly total: number | null;
}

const pageForm = z.object({
  advisories: z.array(z.unknown()),
  total: z.int().nonnegative().nullish(),
  page: z.int().nullish(),
});

/** Throws BrokenDocument on what is no page of advisories, or another page than the one asked for. */
async function readPage(document: Document, asked: number): Promise<Page> {
  const read = pageForm.safeParse(parsed(await document.text(), document.url));
  if (!read.success)
    throw new BrokenDocument(
      document.url,
      `it is no page of advisories: ${invalidReason(read.error)}`,
    );
  const { advisories, total, page } = read.data;
  if (typeof page === 'number' && page !== asked)
    throw new BrokenDocument(document.url, `it is page ${page}, not page ${asked}`);
  return { advisories, total: total ?? null };
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
