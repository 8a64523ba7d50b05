/** Rocky Linux's errata, from Apollo. */
import type { Contents, Feed, Part, Reading } from '../../definition/feed.ts';
import { jsonRecords } from '../../formats/json-records.ts';
import { rockylinuxEntries, rockylinuxRemarks } from './rockylinux-entry.ts';
import { rockylinuxList } from './rockylinux-list.ts';
import { advisoryPages } from './rockylinux-pages.ts';
import { advisoryKey, readAdvisory } from './rockylinux-record.ts';

/** For which of them a record that cannot be read was, nobody can say. */
const majorReleases = ['8', '9', '10', '11'];

const advisories: Part = {
  key: 'advisories',
  label: 'Rocky Linux advisories',
  contents: advisoryPages,
  /**
   * The oldest page first, so that a sync which is stopped while it writes leaves no gap behind the newest ones. An advisory can lie on
   * two pages when one was published while they were fetched; the page fetched last counts.
   */
  async *read({ documents }: Contents): AsyncGenerator<Reading> {
    const met = new Set<string>();
    for (const document of documents.toReversed()) {
      let place = 0;
      for await (const { value } of jsonRecords(document, 'advisories')) {
        place += 1;
        const read = readAdvisory(value);
        if (!('advisory' in read)) {
          const { rejected, reason } = read;
          const keys = rejected === null ? [] : majorReleases.map((release) => advisoryKey(release, rejected));
          yield { rejected: rejected ?? `advisory ${place} of the page`, keys, reason, url: document.url };
          continue;
        }
        if (met.has(read.advisory.id)) continue;
        met.add(read.advisory.id);
        yield* rockylinuxRemarks(read.advisory);
        yield* rockylinuxEntries(read);
      }
    }
  },
};

export const rockylinuxFeed: Feed = {
  fills: [rockylinuxList],
  homepage: 'https://errata.rockylinux.org/',
  schedule: '25 */4 * * *',
  version: 1,
  parts: [advisories],
};
