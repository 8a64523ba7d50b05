/** Ubuntu's publications. */
import type { Contents, Feed, Part, Reading } from '../../definition/feed.ts';
import { ubuntuArchiveParts } from './ubuntu-archive-parts.ts';
import { ubuntuNoticeList } from './ubuntu-notice-list.ts';
import { noticePages, readPage } from './ubuntu-notice-pages.ts';
import { readNotice } from './ubuntu-notice-record.ts';
import { ubuntuPackageList } from './ubuntu-package-list.ts';

const notices: Part = {
  key: 'notices',
  label: 'Security notices',
  contents: noticePages,
  /** A notice can lie on two pages when one was published while they were fetched; the first counts. */
  async *read({ documents }: Contents): AsyncGenerator<Reading> {
    const yielded = new Set<string>();
    for (const document of documents) {
      const page = await readPage(document);
      for (const [place, record] of page.notices.entries()) {
        for (const reading of readNotice(record, `notice ${place + 1} of the page`, document.url)) {
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

export const ubuntuFeed: Feed = {
  fills: [ubuntuNoticeList, ubuntuPackageList],
  homepage: 'https://ubuntu.com/security/notices',
  schedule: '12 * * * *',
  version: 1,
  parts: [notices, ...ubuntuArchiveParts],
};
