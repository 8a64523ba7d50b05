/** Part with Ubuntu's security notices: the API's pages, the database that completes them, and the priorities of their CVEs. */
import { FetchFailed } from '../../definition/document-errors.ts';
import type {
  Document,
  FeedItem,
  Part,
  PartManifest,
  Publication,
  Remark,
} from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import { openCvePages, readCvePages } from './ubuntu-cve-pages.ts';
import {
  type CvePriorities,
  openPriorities,
  prioritiesAddress,
  readPriorities,
} from './ubuntu-cve-priorities.ts';
import { findDatabase, openDatabase } from './ubuntu-notice-database.ts';
import { findPages, openNoticePages, readPage } from './ubuntu-notice-pages.ts';
import { findNoticeId, readNotice } from './ubuntu-notice-record.ts';
import { readReleasePackages } from './ubuntu-release-packages.ts';

export const ubuntuNoticePart: Part = {
  key: 'notices',
  label: 'Security notices',

  /** Opens the pages and the documents that complete the notices, with a remark on each that is unavailable and has no copy. */
  async contents(publication: Publication): Promise<PartManifest> {
    const { documents: pages, isComplete } = await openNoticePages(publication);
    const remarks: Remark[] = [];
    if (!isComplete)
      remarks.push({
        kind: 'remark',
        remark:
          'the pages contain fewer notices than the vendor counts; missing ones are not withdrawn',
      });
    const { documents: priorities, lacking } = await openAllPriorities(publication);
    for (const why of lacking)
      remarks.push({
        kind: 'remark',
        remark: `Ubuntu's CVE priorities are missing: ${why}`,
      });
    let database: readonly Document[] = [];
    try {
      database = await openDatabase(publication);
    } catch (error) {
      remarks.push({
        kind: 'remark',
        remark: `packages that only the notice database lists are missing: ${(error as Error).message}`,
      });
    }
    return { documents: [...pages, ...database, ...priorities], isComplete, remarks };
  },

  /** A notice is on two pages when another was published while they were fetched; the first counts. */
  async *read({ documents }: PartManifest): AsyncGenerator<FeedItem> {
    const { priorities, remarks } = await readAllPriorities(documents);
    for (const remark of remarks) yield { kind: 'remark', remark };
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
  for (const open of [openPriorities, openCvePages]) {
    try {
      documents.push(...(await open(publication)));
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
