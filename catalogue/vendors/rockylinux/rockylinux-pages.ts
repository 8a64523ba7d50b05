/** The pages of Apollo's advisories, newest first. */
import { z } from 'zod';
import type { Contents, Document, Publication } from '../../definition/feed.ts';
import { BrokenDocument } from '../../formats/document-of.ts';
import { vendorDate } from '../../shapes/vendor-dates.ts';
import { whyUnfit } from '../../shapes/vendor-words.ts';
import { rockylinuxList } from './rockylinux-list.ts';
import { advisoryKey, readAdvisory } from './rockylinux-record.ts';
import { isFromRepositories } from './rockylinux-repositories.ts';

/** The API's largest. */
const pageSize = 100;
/** Twelve times what is published today; more means that the pages do not end. */
const mostPages = 1000;
/** The API cannot be asked what has changed, so all pages are read again this often. */
const wholeEvery = 7 * 24 * 60 * 60 * 1000;

/**
 * All pages when all were last read a week ago or never, or when the repositories have stood in since. Else from the newest page to the first
 * one that holds nothing new, unless the API says that more has changed than was met so far: advisories of other years are published and
 * edited too, deep among the pages. The next page is always the next number: the links that the API gives are wrong at times.
 *
 * The pages are all that the vendor publishes only when no fewer advisories were met than it counts, and it counted alike on every page: one
 * that is published meanwhile moves the others from page to page, and one may be passed over.
 */
export async function advisoryPages(publication: Publication): Promise<Contents> {
  const last = await publication.readLast();
  const stoodIn = last.some(isFromRepositories);
  const wholeLately = !stoodIn && publication.readWholeAt !== null && publication.now() - publication.readWholeAt < wholeEvery;
  const before = wholeLately ? await newestPageRead(last) : null;
  const documents: Document[] = [];
  const met = new Set<string | number>();
  const totals = new Set<number>();
  let newest: Page | null = null;
  let records = 0;
  let unknown = 0;
  let latestUpdate = 0;
  while (documents.length < mostPages) {
    const document = await publication.open(pageAddress(documents.length + 1));
    documents.push(document);
    const page = await readPage(document, documents.length);
    const { advisories, total } = page;
    newest ??= page;
    for (const [place, advisory] of advisories.entries()) met.add(identityOf(advisory) ?? `${documents.length}.${place}`);
    records += advisories.length;
    if (total !== null) totals.add(total);
    const atEnd = advisories.length === 0 || (total !== null && records >= total);
    if (atEnd) return { documents, whole: totals.size <= 1 && [...totals].every((count) => met.size >= count) };
    if (!wholeLately) continue;
    const news = await newsOn(publication, advisories);
    unknown += news.unknown;
    latestUpdate = Math.max(latestUpdate, news.latestUpdate);
    if (news.known > 0 && news.unknown === 0 && isAllOf(before, newest, unknown, latestUpdate)) return { documents, whole: false };
  }
  throw new BrokenDocument(pageAddress(mostPages), `the pages do not end after ${mostPages}`);
}

/** Whether what was met is all that has changed since the newest page was read before: as many are new as there are more, and the last edit is among them. */
function isAllOf(before: Page | null, newest: Page, unknown: number, latestUpdate: number): boolean {
  if (newest.total !== null && before !== null && before.total !== null && newest.total - before.total !== unknown) return false;
  return newest.lastUpdate === null || newest.lastUpdate === before?.lastUpdate || latestUpdate >= newest.lastUpdate;
}

function pageAddress(page: number): string {
  return `https://apollo.build.resf.org/api/v3/advisories/?page=${page}&size=${pageSize}`;
}

/** The number that the vendor's own database knows it by, else its name. */
function identityOf(advisory: unknown): string | number | null {
  const { id, name } = identityForm.safeParse(advisory).data ?? {};
  return id ?? name ?? null;
}

const identityForm = z.object({ id: z.number().nullish().catch(null), name: z.string().nullish().catch(null) });

async function newsOn(publication: Publication, advisories: readonly unknown[]) {
  const read = advisories.map(readAdvisory).filter((one) => 'advisory' in one);
  const keysOf = ({ advisory, releases }: (typeof read)[number]) =>
    [...releases.keys()].map((release) => advisoryKey(release, advisory.id));
  const knownKeys = await publication.known(rockylinuxList, read.flatMap(keysOf));
  const known = read.filter((one) => keysOf(one).every((key) => knownKeys.has(key))).length;
  const updates = read.map(({ advisory }) => vendorDate(advisory.updated_at) ?? 0);
  return { known, unknown: read.length - known, latestUpdate: Math.max(0, ...updates) };
}

/** The newest page as it was read last; null when its copy is gone. */
async function newestPageRead(last: readonly Document[]): Promise<Page | null> {
  const document = last.find(({ url }) => url === pageAddress(1));
  if (document === undefined) return null;
  return readPage(document, 1).catch(() => null);
}

interface Page {
  readonly advisories: readonly unknown[];
  readonly total: number | null;
  /** When any of all advisories was last edited, epoch milliseconds. */
  readonly lastUpdate: number | null;
}

const pageForm = z.object({
  advisories: z.array(z.unknown()),
  total: z.int().nonnegative().nullish(),
  page: z.int().nullish(),
  last_updated_at: z.unknown().optional(),
});

/** Throws BrokenDocument on what is no page of advisories, or another page than the one asked for. */
async function readPage(document: Document, asked: number): Promise<Page> {
  const read = pageForm.safeParse(parsed(await document.text(), document.url));
  if (!read.success) throw new BrokenDocument(document.url, `it is no page of advisories: ${whyUnfit(read.error)}`);
  const { advisories, total, page, last_updated_at } = read.data;
  if (typeof page === 'number' && page !== asked) throw new BrokenDocument(document.url, `it is page ${page}, not page ${asked}`);
  return { advisories, total: total ?? null, lastUpdate: vendorDate(last_updated_at) };
}

function parsed(text: string, url: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BrokenDocument(url, `it is not valid JSON: ${(error as Error).message}`, { cause: error });
  }
}
