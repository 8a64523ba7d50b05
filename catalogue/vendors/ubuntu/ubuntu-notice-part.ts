/** Ubuntu's security notices: the pages of the API, the database that completes them, and the priorities of their CVEs. */
import { FetchFailed } from '../../definition/document-errors.ts';
import type {
  Document,
  FeedItem,
  Part,
  PartManifest,
  Publication,
  Remark,
} from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/document-of.ts';
import { openCvePages, readCvePages } from './ubuntu-cve-pages.ts';
import {
  type CvePriorities,
  openPriorities,
  prioritiesAddress,
  readPriorities,
} from './ubuntu-cve-priorities.ts';
import { databaseAmong, openDatabase } from './ubuntu-notice-database.ts';
import { noticePages, pagesAmong, readPage } from './ubuntu-notice-pages.ts';
import { idOfRecord, readNotice } from './ubuntu-notice-record.ts';
import { readReleasePackages } from './ubuntu-release-packages.ts';

export const ubuntuNoticePart: Part = {
  key: 'notices',
  label: 'Security notices',

  /** Beside the pages are documents that complete the notices. One that cannot be fetched and has no stored copy is reported. */
  async contents(publication: Publication): Promise<PartManifest> {
    const { documents: pages, whole } = await noticePages(publication);
    const remarks: Remark[] = [];
    if (!whole)
      remarks.push({
        kind: 'remark',
        remark:
          'the pages do not hold as many notices as the vendor counts; what is missing from them is kept',
      });
    const { documents: priorities, lacking } = await openAllPriorities(publication);
    for (const why of lacking)
      remarks.push({
        kind: 'remark',
        remark: `what Ubuntu says of the priority of CVEs is missing: ${why}`,
      });
    let database: readonly Document[] = [];
    try {
      database = await openDatabase(publication);
    } catch (error) {
      remarks.push({
        kind: 'remark',
        remark: `what only the database of notices knows of their packages is missing: ${(error as Error).message}`,
      });
    }
    return { documents: [...pages, ...database, ...priorities], whole, remarks };
  },

  /** A notice can lie on two pages when one was published while they were fetched; the first counts. */
  async *read({ documents }: PartManifest): AsyncGenerator<FeedItem> {
    const { priorities, remarks } = await allPriorities(documents);
    for (const remark of remarks) yield { kind: 'remark', remark };
    const pages = pagesAmong(documents);
    const database = await readReleasePackages(databaseAmong(documents), await idsOn(pages));
    const yielded = new Set<string>();
    for (const document of pages) {
      const { notices } = await readPage(document);
      for (const [place, record] of notices.entries()) {
        for (const reading of readNotice(record, `notice ${place + 1} of the page`, document.url, {
          known: database.of,
          priorities,
        })) {
          if (reading.kind === 'entry') {
            if (yielded.has(reading.key)) continue;
            yielded.add(reading.key);
            const rejection = database.rejections.get(reading.key);
            // The stored row keeps the packages that only the database names.
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

/** Priorities only adorn the notices: those that can be had are read. */
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

/** The pages are of this hour, the archive of today. */
async function allPriorities(
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

async function idsOn(pages: readonly Document[]): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const document of pages) {
    const { notices } = await readPage(document);
    for (const record of notices) {
      const id = idOfRecord(record);
      if (id !== null) ids.add(id);
    }
  }
  return ids;
}
