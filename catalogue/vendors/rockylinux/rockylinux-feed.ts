/** Feed of Rocky Linux's errata from Apollo; while Apollo is unavailable, new ones are read from the repositories. */

import { z } from 'zod';
import {
  createRejection,
  createRemark,
  type Document,
  type Feed,
  type FeedItem,
  type Part,
  type PartManifest,
  type Publication,
} from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import { jsonRecords } from '../../parsers/json-records.ts';
import { isPublicationFailure } from '../../parsers/publication-failure.ts';
import { readJsonDocument } from '../../parsers/read-json-document.ts';
import { toErratumKey } from '../../schemas/errata-values.ts';
import { remarkOnAdvisory, toRockylinuxEntries } from './rockylinux-entry.ts';
import { rockylinuxList } from './rockylinux-list.ts';
import { majorReleases, readAdvisory } from './rockylinux-record.ts';
import {
  openRepositoriesInstead,
  type RepositoryContents,
  readRepositoriesInstead,
} from './rockylinux-repositories.ts';

const incompletePagesRemark =
  'the pages contain fewer advisories than Apollo counts; missing ones are not withdrawn';

/** Narrows contents by the tag that `contents` added. */
const isRepositories = (contents: PartManifest): contents is RepositoryContents =>
  (contents as Partial<RepositoryContents>).kind === 'repositories';

interface PageContents extends PartManifest {
  readonly kind: 'pages';
}

const advisoriesPart: Part = {
  key: 'advisories',
  label: 'Rocky Linux advisories',
  async contents(publication: Publication): Promise<PageContents | RepositoryContents> {
    try {
      const pages = await openAdvisoryPages(publication);
      return pages.isComplete
        ? { kind: 'pages', ...pages }
        : { kind: 'pages', ...pages, remarks: [createRemark(incompletePagesRemark)] };
    } catch (error) {
      if (!isPublicationFailure(error)) throw error;
      if (error instanceof BrokenDocument) await publication.distrust?.(error.url);
      return openRepositoriesInstead(publication, error);
    }
  },
  read: (contents) =>
    isRepositories(contents) ? readRepositoriesInstead(contents) : readPages(contents),
};

/**
 * Reads the oldest page first. An advisory is on two pages when another was published while they were fetched; the page fetched last
 * counts.
 */
async function* readPages({ documents }: PartManifest): AsyncGenerator<FeedItem> {
  const met = new Set<string>();
  for (const document of documents.toReversed()) {
    let index = 0;
    for await (const { value } of jsonRecords(document, 'advisories')) {
      index += 1;
      const read = readAdvisory(value);
      if (read.kind !== 'advisory') {
        const { rejected, reason } = read;
        // The record's release is unknown, so its rows of all releases are kept.
        const keys =
          rejected === null ? [] : majorReleases.map((release) => toErratumKey(release, rejected));
        yield createRejection(
          rejected ?? `advisory ${index} of the page`,
          reason,
          document.url,
          keys,
        );
        continue;
      }
      if (met.has(read.advisory.id)) continue;
      met.add(read.advisory.id);
      yield* remarkOnAdvisory(read.advisory);
      yield* toRockylinuxEntries(read);
    }
  }
}

export const rockylinuxFeed: Feed = {
  fills: [rockylinuxList],
  homepage: 'https://errata.rockylinux.org/',
  schedule: '25 */4 * * *',
  version: 3,
  parts: [advisoriesPart],
};

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

const pageForm = z.object({
  advisories: z.array(z.unknown()),
  total: z.int().nonnegative().nullish(),
  page: z.int().nullish(),
});

/** @throws BrokenDocument on anything but the requested page of advisories */
async function readPage(document: Document, requested: number) {
  const { advisories, total, page } = await readJsonDocument(
    document,
    pageForm,
    'a page of advisories',
  );
  if (typeof page === 'number' && page !== requested)
    throw new BrokenDocument(document.url, `it is page ${page}, not page ${requested}`);
  return { advisories, total: total ?? null };
}
