/** Part with Ubuntu's security notices: the API's pages, the database that completes them, and the priorities of their CVEs. */

import { z } from 'zod';
import { FetchFailed, NotPublished } from '../../definition/document-errors.ts';
import {
  createRemark,
  type Document,
  type Part,
  type PartManifest,
  type Publication,
  type Remark,
} from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import { openOrLast } from '../../parsers/open-documents.ts';
import { readJsonDocument } from '../../parsers/read-json-document.ts';
import {
  type CvePriorities,
  openCvePages,
  openPriorities,
  prioritiesAddress,
  readCvePages,
  readPriorities,
} from './ubuntu-cve-priorities.ts';
import { findDatabase, openDatabase } from './ubuntu-notice-database.ts';
import { findNoticeId, readNotice, toNoticeKey } from './ubuntu-notice-record.ts';
import { readReleasePackages } from './ubuntu-release-packages.ts';

export const ubuntuNoticePart: Part = {
  key: 'notices',
  label: 'Security notices',

  /** Opens the pages and the documents that complete the notices, with a remark on each that is unavailable and has no copy. */
  async contents(publication) {
    const { documents: pages, isComplete } = await openNoticePages(publication);
    const remarks: Remark[] = [];
    if (!isComplete)
      remarks.push(
        createRemark(
          'the pages contain fewer notices than the vendor counts; missing ones are not withdrawn',
        ),
      );
    const { documents: priorities, lacking } = await openAllPriorities(publication);
    for (const why of lacking)
      remarks.push(createRemark(`Ubuntu's CVE priorities are missing: ${why}`));
    let database: readonly Document[] = [];
    let whyMissing = 'it is not published, and there is no copy';
    try {
      database = await openDatabase(publication);
    } catch (error) {
      whyMissing = (error as Error).message;
    }
    if (database.length === 0)
      remarks.push(
        createRemark(`packages that only the notice database lists are missing: ${whyMissing}`),
      );
    return { documents: [...pages, ...database, ...priorities], isComplete, remarks };
  },

  /** A notice is on two pages when another was published while they were fetched; the first counts. */
  async *read({ documents }) {
    const { priorities, remarks } = await readAllPriorities(documents);
    for (const remark of remarks) yield createRemark(remark);
    const pages = findPages(documents);
    const database = await readReleasePackages(findDatabase(documents), await readIds(pages));
    const yielded = new Set<string>();
    for (const document of pages) {
      const { notices } = await readPage(document);
      for (const [index, record] of notices.entries()) {
        for (const reading of readNotice(record, `notice ${index + 1} of the page`, document.url, {
          known: database.getPackages,
          priorities,
        })) {
          if (reading.kind === 'entry') {
            if (yielded.has(reading.key)) continue;
            yielded.add(reading.key);
            const rejection = database.rejections.get(reading.key);
            // The stored row keeps the packages that only the database lists.
            if (rejection !== undefined) {
              yield rejection;
              continue;
            }
          }
          yield reading;
        }
      }
    }
    for (const [noticeId, rejection] of database.rejections)
      if (!yielded.has(noticeId)) yield { ...rejection, keys: [] };
  },
};

/** Opens the priorities that are available: notices do not depend on them. */
async function openAllPriorities(publication: Publication) {
  const documents: Document[] = [];
  const lacking: string[] = [];
  for (const [name, open] of [
    ['the archive of all CVEs is', openPriorities],
    ['the pages of the newest CVEs are', openCvePages],
  ] as const) {
    try {
      const opened = await open(publication);
      documents.push(...opened);
      if (opened.length === 0) lacking.push(`${name} not published, and there is no copy`);
    } catch (error) {
      if (!(error instanceof FetchFailed || error instanceof BrokenDocument)) throw error;
      lacking.push(error.message);
    }
  }
  return { documents, lacking };
}

/** Merges the archive of the day with the CVE pages, which are newer. */
async function readAllPriorities(
  documents: readonly Document[],
): Promise<{ readonly priorities: CvePriorities; readonly remarks: readonly string[] }> {
  const archives = documents.filter(({ url }) => url === prioritiesAddress);
  const archive = await readPriorities(archives);
  const pages = await readCvePages(documents);
  return {
    priorities: new Map([...archive, ...pages.priorities]),
    remarks: [
      ...(archives.length > 0 && archive.size === 0
        ? ['the archive of CVEs states no priority']
        : []),
      ...(pages.unread > 0
        ? [`${pages.unread} CVEs of the pages have no id or priority that can be read; left out`]
        : []),
    ],
  };
}

async function readIds(pages: readonly Document[]): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const document of pages) {
    const { notices } = await readPage(document);
    for (const record of notices) {
      const id = findNoticeId(record);
      if (id !== null) ids.add(id);
    }
  }
  return ids;
}

/** The API's own limit: larger pages are refused. */
const pageSize = 20;
/** Four times the present number; more means that the pages do not end. */
const maxPages = 2000;

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
    const document = await openPage(publication, offset);
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

async function openPage(publication: Publication, offset: number): Promise<Document> {
  const url = toPageAddress(offset);
  if (offset === 0) return publication.open(url);
  const readThrough = async (arrived: Document) => void (await readPage(arrived, offset));
  const [document] = await openOrLast(publication, url, { readThrough });
  if (document === undefined) throw new NotPublished(url);
  return document;
}

const api = 'https://ubuntu.com/security/notices.json';

function toPageAddress(offset: number): string {
  return `${api}?limit=${pageSize}&offset=${offset}&order=newest`;
}

/** Returns the pages among the documents, newest first. */
function findPages(documents: readonly Document[]): Document[] {
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
async function readPage(document: Document, expectedOffset?: number) {
  const page = await readJsonDocument(document, pageSchema, 'a page of notices');
  const { notices, total_results: total, offset } = page;
  if (expectedOffset !== undefined && typeof offset === 'number' && offset !== expectedOffset) {
    throw new BrokenDocument(
      document.url,
      `it is the page at ${offset}, not the one at ${expectedOffset}`,
    );
  }
  return { notices, total };
}
