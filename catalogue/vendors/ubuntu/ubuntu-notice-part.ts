/** Ubuntu's security notices: the pages of the API, and the database that completes them. */
import type { Contents, Document, Part, Publication, Reading } from '../../definition/feed.ts';
import { databaseAmong, openDatabase } from './ubuntu-notice-database.ts';
import { noticePages, pagesAmong, readPage } from './ubuntu-notice-pages.ts';
import { idOfRecord, readNotice } from './ubuntu-notice-record.ts';
import { readReleasePackages } from './ubuntu-release-packages.ts';

/** Why there is no database, where it could not be had and no copy of it is kept. */
interface NoticeContents extends Contents {
  readonly lacking?: string;
}

export const ubuntuNoticePart: Part = {
  key: 'notices',
  label: 'Security notices',

  async contents(publication: Publication): Promise<NoticeContents> {
    const { documents: pages, whole } = await noticePages(publication);
    try {
      return { documents: [...pages, ...(await openDatabase(publication))], whole };
    } catch (error) {
      return { documents: pages, whole, lacking: (error as Error).message };
    }
  },

  /** A notice can lie on two pages when one was published while they were fetched; the first counts. */
  async *read({ documents, whole, lacking }: NoticeContents): AsyncGenerator<Reading> {
    if (!whole) yield { remark: 'the pages do not hold as many notices as the vendor counts; what is missing from them is kept' };
    if (lacking !== undefined) yield { remark: `what only the database of notices knows of their packages is missing: ${lacking}` };
    const pages = pagesAmong(documents);
    const known = await readReleasePackages(databaseAmong(documents), await idsOn(pages));
    const yielded = new Set<string>();
    for (const document of pages) {
      const { notices } = await readPage(document);
      for (const [place, record] of notices.entries()) {
        for (const reading of readNotice(record, `notice ${place + 1} of the page`, document.url, known)) {
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
