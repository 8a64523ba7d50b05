/** Ubuntu's security notices: the pages of the API, the database that completes them, and the priorities of their CVEs. */
import { type Contents, type Document, FetchFailed, type Part, type Publication, type Reading } from '../../definition/feed.ts';
import { BrokenDocument } from '../../formats/document-of.ts';
import { openCvePages, readCvePages } from './ubuntu-cve-pages.ts';
import { type CvePriorities, openPriorities, prioritiesAddress, readPriorities } from './ubuntu-cve-priorities.ts';
import { databaseAmong, openDatabase } from './ubuntu-notice-database.ts';
import { noticePages, pagesAmong, readPage } from './ubuntu-notice-pages.ts';
import { idOfRecord, readNotice } from './ubuntu-notice-record.ts';
import { readReleasePackages } from './ubuntu-release-packages.ts';

/** Why there is no database, or why priorities are missing: what could not be had, and no copy of it is kept. */
interface NoticeContents extends Contents {
  readonly lacking?: string;
  readonly lackingPriorities?: readonly string[];
}

export const ubuntuNoticePart: Part = {
  key: 'notices',
  label: 'Security notices',

  async contents(publication: Publication): Promise<NoticeContents> {
    const { documents: pages, whole } = await noticePages(publication);
    const { documents: priorities, lackingPriorities } = await openAllPriorities(publication);
    try {
      return { documents: [...pages, ...(await openDatabase(publication)), ...priorities], whole, lackingPriorities };
    } catch (error) {
      return { documents: [...pages, ...priorities], whole, lacking: (error as Error).message, lackingPriorities };
    }
  },

  /** A notice can lie on two pages when one was published while they were fetched; the first counts. */
  async *read({ documents, whole, lacking, lackingPriorities = [] }: NoticeContents): AsyncGenerator<Reading> {
    if (!whole) yield { remark: 'the pages do not hold as many notices as the vendor counts; what is missing from them is kept' };
    if (lacking !== undefined) yield { remark: `what only the database of notices knows of their packages is missing: ${lacking}` };
    for (const why of lackingPriorities) yield { remark: `what Ubuntu says of the priority of CVEs is missing: ${why}` };
    const priorities = await allPriorities(documents);
    const pages = pagesAmong(documents);
    const known = await readReleasePackages(databaseAmong(documents), await idsOn(pages));
    const yielded = new Set<string>();
    for (const document of pages) {
      const { notices } = await readPage(document);
      for (const [place, record] of notices.entries()) {
        for (const reading of readNotice(record, `notice ${place + 1} of the page`, document.url, { known, priorities })) {
          if ('key' in reading) {
            if (yielded.has(reading.key)) continue;
            yielded.add(reading.key);
          }
          yield reading;
        }
      }
    }
  },
};

/** Priorities only adorn the notices: those that can be had are read. */
async function openAllPriorities(publication: Publication) {
  const documents: Document[] = [];
  const lackingPriorities: string[] = [];
  for (const open of [openPriorities, openCvePages]) {
    try {
      documents.push(...(await open(publication)));
    } catch (error) {
      if (!(error instanceof FetchFailed || error instanceof BrokenDocument)) throw error;
      lackingPriorities.push(error.message);
    }
  }
  return { documents, lackingPriorities };
}

/** The pages are of this hour, the archive of today. */
async function allPriorities(documents: readonly Document[]): Promise<CvePriorities> {
  const archive = await readPriorities(documents.filter(({ url }) => url === prioritiesAddress));
  return new Map([...archive, ...(await readCvePages(documents))]);
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
