/**
 * Reads the security content of releases from SOFA's list, and from Apple's own pages for releases that it lacks. Rows do not depend on
 * them: when a source fails, the rows keep the content that is known.
 */

import { FetchFailed, NotPublished } from '../../definition/document-errors.ts';
import type { DocumentFailure } from '../../definition/document-failure.ts';
import {
  createRemark,
  type Document,
  type OpenOptions,
  type PartManifest,
  type Publication,
  type Remark,
} from '../../definition/feed.ts';
import type { FeedRemark } from '../../definition/feed-remark.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import {
  findReleaseCves,
  readSecurityIndex,
  readSecurityPage,
  type SecurityIndex,
  type SecurityPage,
  securityIndex,
} from './apple-security-pages.ts';
import { type ReleaseName, toReleaseKey } from './macos-release-name.ts';
import { type SecurityRelease, SecurityReleases } from './macos-security-release.ts';
import { readSofa, type SofaReleases, sofaAddress } from './sofa-releases.ts';

export interface SecurityDocuments {
  readonly documents: readonly Document[];
  /** Documents whose last copy was read. */
  readonly standIn: readonly FeedRemark[];
  /** Remarks on documents that cannot be fetched and have no copy. */
  readonly remarks: readonly Remark[];
}

/** Indexes of past years, each of which links to others. */
const maxIndexes = 20;
/** Pages of releases that SOFA lacks. */
const maxPages = 600;
const concurrency = 4;

export function isSecurityDocument(url: string): boolean {
  return url === sofaAddress || url.startsWith('https://support.apple.com/');
}

/** Opens the documents about the named releases. */
export async function openSecurityDocuments(
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
  const missing = new Set([...names].filter((name) => !stated.has(name)).map(toReleaseKey));
  // The pages state no version of themselves: those of the same day are recent enough for releases that are years old.
  const version = new Date(publication.now()).toISOString().slice(0, 10);
  const pages = new ExtraSource(publication, last, "Apple's security content of other releases", {
    version,
    readThrough: validatePage,
  });
  const documents = [
    ...(sofa === null ? [] : [sofa]),
    ...(missing.size === 0 ? [] : await openApplePages(pages, missing)),
  ];
  const remarks: Remark[] = [
    ...[...list.lacking, ...pages.lacking].map((remark) => createRemark(remark)),
    ...(sofa === null && list.lacking.length === 0
      ? [createRemark("SOFA's list of releases is not published")]
      : []),
    ...(sofa === null ? [createRemark("CVEs are those that Apple's own pages state")] : []),
  ];
  return { documents, standIn: [...list.standIn, ...pages.standIn], remarks };
}

/** Refuses other pages, such as a network's sign-in page or an error page. */
async function validatePage(document: Document): Promise<void> {
  if (!/<h[12]\b/i.test(await document.text()))
    throw new BrokenDocument(
      document.url,
      'it has no heading, so it is not a page of security content',
    );
}

/** Opens the indexes of all years, and the missing releases' pages that they name. */
async function openApplePages(
  source: ExtraSource,
  missing: ReadonlySet<string>,
): Promise<Document[]> {
  const indexes = await followIndexes((url) => source.open(url));
  const pages = new Set<string>();
  for (const { index } of indexes) {
    for (const { names, page } of index.releases) {
      if (
        page !== null &&
        pages.size < maxPages &&
        names.some((name) => missing.has(toReleaseKey(name)))
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
  await Promise.all(Array.from({ length: concurrency }, worker));
  return [
    ...indexes.map(({ document }) => document),
    ...[...pages].flatMap((url) => opened.get(url) ?? []),
  ];
}

interface OpenedIndex {
  readonly document: Document;
  readonly index: SecurityIndex;
}

/** Opens the first index and those that it links to, each once. */
async function followIndexes(
  open: (url: string) => Promise<Document | null>,
): Promise<OpenedIndex[]> {
  const opened: OpenedIndex[] = [];
  const urls = [securityIndex];
  for (const url of urls) {
    const document = await open(url);
    if (document === null) continue;
    const index = readSecurityIndex(await document.text(), document.url);
    opened.push({ document, index });
    for (const other of index.others)
      if (!urls.includes(other) && urls.length < maxIndexes) urls.push(other);
  }
  return opened;
}

/** Opens documents that only complete the rows: failures are reported and do not end the sync. */
class ExtraSource {
  readonly standIn: FeedRemark[] = [];
  readonly lacking: string[] = [];
  readonly #publication: Publication;
  readonly #last: readonly Document[];
  readonly #description: string;
  readonly #options: OpenOptions;
  /** After a failure the server is not asked for further documents. */
  #failed = false;

  constructor(
    publication: Publication,
    last: readonly Document[],
    description: string,
    options: OpenOptions = {},
  ) {
    this.#publication = publication;
    this.#last = last;
    this.#description = description;
    this.#options = {
      maxBytes: 16 * 1024 ** 2,
      maxOpenBytes: 64 * 1024 ** 2,
      ...options,
      lastGoodCopy: true,
    };
  }

  /** Returns null when the document is not published or cannot be fetched, and has no copy. */
  async open(url: string): Promise<Document | null> {
    const copy = this.#last.find((document) => document.url === url) ?? null;
    if (this.#failed) return copy;
    try {
      return await this.#publication.open(url, this.#options);
    } catch (error) {
      if (error instanceof NotPublished) {
        if (copy !== null) this.standIn.push(createLastCopyRemark(error));
      } else if (error instanceof FetchFailed || error instanceof BrokenDocument) {
        this.#failed = true;
        if (copy === null) this.lacking.push(`${this.#description} is missing: ${error.message}`);
        else this.standIn.push(createLastCopyRemark(error));
      } else throw error;
      return copy;
    }
  }
}

function createLastCopyRemark({ failure }: { readonly failure: DocumentFailure }): FeedRemark {
  return { code: 'last_copy_read', params: { cause: failure } };
}

export interface Security {
  readonly releases: SecurityReleases;
  readonly remarks: readonly string[];
}

/** Reads the documents that `openSecurityDocuments` opened. */
export async function readSecurity({ documents }: PartManifest): Promise<Security> {
  const byAddress = new Map(documents.map((document) => [document.url, document]));
  const list = byAddress.get(sofaAddress);
  const sofa: SofaReleases =
    list === undefined ? { releases: [], builds: new Map(), unreadable: [] } : await readSofa(list);
  const releases = [...sofa.releases];
  const absent = new Map<string, string>();
  const foreignPages: string[] = [];
  const unknownCves = new Set<string>();
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
      else if (opened === undefined) for (const name of names) absent.set(toReleaseKey(name), page);
      else {
        const content = readSecurityPage(await opened.text());
        for (const word of content.unknownCves) unknownCves.add(`${word} (${page})`);
        const read = toReleases(content, page, names);
        releases.push(...read);
        if (read.length === 0) foreignPages.push(page);
      }
    }
  }
  const remarks = [
    ...(unknownCves.size > 0
      ? [`Apple's pages name CVEs that cannot be read: ${formatShortList([...unknownCves])}`]
      : []),
    ...(sofa.unreadable.length > 0
      ? [`Releases of SOFA's list that cannot be read: ${formatShortList(sofa.unreadable)}`]
      : []),
    ...(foreignPages.length > 0
      ? [
          `Apple's index names pages that are not of the release: ${formatShortList([...new Set(foreignPages)])}`,
        ]
      : []),
  ];
  return { releases: new SecurityReleases(releases, sofa.builds, absent), remarks };
}

function toReleases(
  page: SecurityPage,
  url: string,
  names: readonly ReleaseName[],
): SecurityRelease[] {
  return names.flatMap((name) => {
    const cves = findReleaseCves(page, name);
    return cves === null ? [] : [{ name, cves, page: url, statedBy: 'Apple' }];
  });
}

/** Reports missing pages, after all rows were read. */
export function createAbsentPagesRemarks({ absentPages }: SecurityReleases): string[] {
  return absentPages.length === 0
    ? []
    : [
        `Apple does not serve its pages of security content (not found): ${formatShortList(absentPages)}`,
      ];
}

function formatShortList(words: readonly string[]): string {
  return `${words.slice(0, 10).join(', ')}${words.length > 10 ? ` and ${words.length - 10} more` : ''}`;
}
