/**
 * The security content of releases: SOFA's list first, Apple's own pages for what it does not state. Neither is needed for a row to be
 * listed: one that fails leaves the rows as they are, with what is known of them.
 */

import { FetchFailed, NotPublished } from '../../definition/document-errors.ts';
import type { DocumentFailure } from '../../definition/document-failure.ts';
import type {
  Document,
  OpenOptions,
  PartManifest,
  Publication,
  Remark,
} from '../../definition/feed.ts';
import type { FeedRemark } from '../../definition/feed-remark.ts';
import { BrokenDocument } from '../../parsers/document-of.ts';
import {
  cvesOfRelease,
  readSecurityIndex,
  readSecurityPage,
  type SecurityIndex,
  securityIndex,
} from './apple-security-pages.ts';
import { type ReleaseName, releaseKey } from './macos-release-name.ts';
import { type SecurityRelease, SecurityReleases } from './macos-security-release.ts';
import { readSofa, type SofaReleases, sofaAddress } from './sofa-releases.ts';

export interface SecurityDocuments {
  readonly documents: readonly Document[];
  /** Of which documents the last copy was read. */
  readonly standIn: readonly FeedRemark[];
  /** What cannot be fetched and has no copy. */
  readonly remarks: readonly Remark[];
}

/** Indexes of years gone by, each leading to others. */
const maxIndexes = 20;
/** Of releases that SOFA does not state. */
const maxPages = 600;
const atOnce = 4;

export function isSecurityDocument(url: string): boolean {
  return url === sofaAddress || url.startsWith('https://support.apple.com/');
}

/** The documents that tell of these releases. */
export async function securityDocuments(
  publication: Publication,
  last: readonly Document[],
  names: Iterable<ReleaseName>,
): Promise<SecurityDocuments> {
  const readThrough = async (document: Document) => {
    await readSofa(document);
  };
  const list = new ExtraSource(publication, last, "SOFA's list of releases", { readThrough });
  const sofa = await list.open(sofaAddress);
  const stated = new SecurityReleases(sofa === null ? [] : (await readSofa(sofa)).releases);
  const missing = new Set([...names].filter((name) => !stated.has(name)).map(releaseKey));
  // Web pages without a word for their state: those of today are new enough for releases that are years old.
  const version = new Date(publication.now()).toISOString().slice(0, 10);
  const pages = new ExtraSource(
    publication,
    last,
    "what Apple's own pages state of other releases",
    { version, readThrough: readPage },
  );
  const documents = [
    ...(sofa === null ? [] : [sofa]),
    ...(missing.size === 0 ? [] : await applePages(pages, missing)),
  ];
  const remarks: Remark[] = [
    ...[...list.lacking, ...pages.lacking].map((remark) => ({ kind: 'remark' as const, remark })),
    ...(sofa === null && list.lacking.length === 0
      ? [{ kind: 'remark' as const, remark: "SOFA's list of releases is not published" }]
      : []),
    ...(sofa === null
      ? [{ kind: 'remark' as const, remark: "CVEs are those that Apple's own pages state" }]
      : []),
  ];
  return { documents, standIn: [...list.standIn, ...pages.standIn], remarks };
}

/** Something else may stand in the place of a page: a sign-in of the network, an apology. */
async function readPage(document: Document): Promise<void> {
  if (!/<h[12]\b/i.test(await document.text()))
    throw new BrokenDocument(
      document.url,
      'it has no heading, so it is no page of security content',
    );
}

/** The indexes of all years, and the pages of those releases that they name. */
async function applePages(source: ExtraSource, missing: ReadonlySet<string>): Promise<Document[]> {
  const indexes = await followIndexes((url) => source.open(url));
  const pages = new Set<string>();
  for (const { index } of indexes) {
    for (const { names, page } of index.releases) {
      if (
        page !== null &&
        pages.size < maxPages &&
        names.some((name) => missing.has(releaseKey(name)))
      )
        pages.add(page);
    }
  }
  const opened = new Map<string, Document>();
  const waiting = pages.values();
  const worker = async () => {
    for (const url of waiting) {
      const document = await source.open(url);
      if (document !== null) opened.set(url, document);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return [
    ...indexes.map(({ document }) => document),
    ...[...pages].flatMap((url) => opened.get(url) ?? []),
  ];
}

interface OpenedIndex {
  readonly document: Document;
  readonly index: SecurityIndex;
}

/** The first and those that it leads to, each once. */
async function followIndexes(
  open: (url: string) => Promise<Document | null>,
): Promise<OpenedIndex[]> {
  const opened: OpenedIndex[] = [];
  const asked = [securityIndex];
  for (const url of asked) {
    const document = await open(url);
    if (document === null) continue;
    const index = readSecurityIndex(await document.text(), document.url);
    opened.push({ document, index });
    for (const other of index.others)
      if (!asked.includes(other) && asked.length < maxIndexes) asked.push(other);
  }
  return opened;
}

/** Opens documents that add to the rows: a failure is said and ends nothing. */
class ExtraSource {
  readonly standIn: FeedRemark[] = [];
  readonly lacking: string[] = [];
  readonly #publication: Publication;
  readonly #last: readonly Document[];
  readonly #what: string;
  readonly #options: OpenOptions;
  /** A server that did not answer is not asked again for each of its documents. */
  #failed = false;

  constructor(
    publication: Publication,
    last: readonly Document[],
    what: string,
    options: OpenOptions = {},
  ) {
    this.#publication = publication;
    this.#last = last;
    this.#what = what;
    this.#options = {
      maxBytes: 16 * 1024 ** 2,
      maxOpenBytes: 64 * 1024 ** 2,
      ...options,
      lastGoodCopy: true,
    };
  }

  /** Null where it is not published or cannot be fetched, and has no copy. */
  async open(url: string): Promise<Document | null> {
    const copy = this.#last.find((one) => one.url === url) ?? null;
    if (this.#failed) return copy;
    try {
      return await this.#publication.open(url, this.#options);
    } catch (error) {
      if (error instanceof NotPublished) {
        if (copy !== null) this.standIn.push(lastCopyRead(error));
      } else if (error instanceof FetchFailed || error instanceof BrokenDocument) {
        this.#failed = true;
        if (copy === null) this.lacking.push(`${this.#what} is missing: ${error.message}`);
        else this.standIn.push(lastCopyRead(error));
      } else throw error;
      return copy;
    }
  }
}

function lastCopyRead({ failure }: { readonly failure: DocumentFailure }): FeedRemark {
  return { code: 'last_copy_read', params: { cause: failure } };
}

export interface Security {
  readonly releases: SecurityReleases;
  readonly remarks: readonly string[];
}

/** What the documents of a part state. */
export async function readSecurity({ documents }: PartManifest): Promise<Security> {
  const byAddress = new Map(documents.map((document) => [document.url, document]));
  const list = byAddress.get(sofaAddress);
  const sofa: SofaReleases =
    list === undefined ? { releases: [], builds: new Map(), unfit: [] } : await readSofa(list);
  const releases = [...sofa.releases];
  const absent = new Map<string, string>();
  const unfit: string[] = [];
  for (const { document, index } of await followIndexes(
    async (url) => byAddress.get(url) ?? null,
  )) {
    for (const { names, page } of index.releases) {
      const opened = byAddress.get(page ?? '');
      if (page === null)
        releases.push(
          ...names.map((name) => ({
            name,
            cves: new Map(),
            page: document.url,
            statedBy: 'Apple',
          })),
        );
      else if (opened === undefined) for (const name of names) absent.set(releaseKey(name), page);
      else {
        const read = await releasesOfPage(opened, names);
        releases.push(...read);
        if (read.length === 0) unfit.push(page);
      }
    }
  }
  const remarks = [
    ...(sofa.unfit.length > 0
      ? [`Releases of SOFA's list that cannot be read: ${shortList(sofa.unfit)}`]
      : []),
    ...(unfit.length > 0
      ? [`Apple's index names pages that are not of the release: ${shortList([...new Set(unfit)])}`]
      : []),
  ];
  return { releases: new SecurityReleases(releases, sofa.builds, absent), remarks };
}

async function releasesOfPage(
  document: Document,
  names: readonly ReleaseName[],
): Promise<SecurityRelease[]> {
  const page = readSecurityPage(await document.text());
  return names.flatMap((name) => {
    const cves = cvesOfRelease(page, name);
    return cves === null ? [] : [{ name, cves, page: document.url, statedBy: 'Apple' }];
  });
}

/** Said once the rows are read: pages of theirs that the index names and that are not there. */
export function absentPagesRemark({ absentPages }: SecurityReleases): string[] {
  return absentPages.length === 0
    ? []
    : [`Apple does not serve its pages of security content (not found): ${shortList(absentPages)}`];
}

function shortList(words: readonly string[]): string {
  return `${words.slice(0, 10).join(', ')}${words.length > 10 ? ` and ${words.length - 10} more` : ''}`;
}
