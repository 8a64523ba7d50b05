/** Reads the pages of Apollo's advisories, newest first. */
import { z } from 'zod';
import type { Document, PartManifest, Publication } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import { invalidReason } from '../../values/vendor-words.ts';

/** The API's maximum. */
const pageSize = 100;
/** Twelve times the present number; more means that the pages do not end. */
const maxPages = 1000;

/**
 * Reads all pages every time: the API cannot list changes, and advisories of other years are published late, edited and taken back deep in
 * the pages. Pages are requested by number, because the API's links are sometimes wrong.
 * The pages are complete only when at least as many advisories were read as the vendor counts, with the same count on every page: an
 * advisory published meanwhile moves others from page to page, and one may be missed.
 */
export async function openAdvisoryPages(publication: Publication): Promise<PartManifest> {
  const documents: Document[] = [];
  const met = new Set<string | number>();
  const totals = new Set<number>();
  let records = 0;
  while (documents.length < maxPages) {
    const document = await publication.open(toPageAddress(documents.length + 1));
    documents.push(document);
    const { advisories, total } = await readPage(document, documents.length);
    for (const [index, advisory] of advisories.entries())
      met.add(getIdentity(advisory) ?? `${documents.length}.${index}`);
    records += advisories.length;
    if (total !== null) totals.add(total);
    const atEnd = advisories.length === 0 || (total !== null && records >= total);
    if (atEnd)
      return {
        documents,
        isComplete: totals.size <= 1 && [...totals].every((count) => met.size >= count),
      };
  }
  throw new BrokenDocument(toPageAddress(maxPages), `the pages do not end after ${maxPages}`);
}

function toPageAddress(page: number): string {
  return `https://apollo.build.resf.org/api/v3/advisories/?page=${page}&size=${pageSize}`;
}

/** Returns the number of the vendor's database, else the name. */
function getIdentity(advisory: unknown): string | number | null {
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

/** @throws BrokenDocument on anything but the requested page of advisories */
async function readPage(document: Document, requested: number): Promise<Page> {
  const read = pageForm.safeParse(parseJson(await document.text(), document.url));
  if (!read.success)
    throw new BrokenDocument(
      document.url,
      `it is not a page of advisories: ${invalidReason(read.error)}`,
    );
  const { advisories, total, page } = read.data;
  if (typeof page === 'number' && page !== requested)
    throw new BrokenDocument(document.url, `it is page ${page}, not page ${requested}`);
  return { advisories, total: total ?? null };
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
