/** The suites of Ubuntu's archive that bring updates, each a part of its own. */
import type { Contents, OtherParts, Part, Publication, Reading } from '../../definition/feed.ts';
import { type AptSuite, openedSuite, suiteDocuments } from '../../formats/apt-suite.ts';
import { binaryPackages } from '../../formats/dpkg-packages.ts';
import { openOrLast } from '../../formats/open-or-last.ts';
import { ubuntuArchiveKeys } from './ubuntu-archive-keys.ts';
import { prioritiesAddress, readPriorities } from './ubuntu-cve-priorities.ts';
import { fixingNoticesReader } from './ubuntu-fixing-notices.ts';
import { databaseAmong, openDatabase } from './ubuntu-notice-database.ts';
import { ubuntuPackageEntry } from './ubuntu-package-entry.ts';

/** Those that Ubuntu still publishes updates of on its archive's main host. */
const codenames = ['stonking', 'resolute', 'noble', 'jammy', 'focal'];

const readFixingNotices = fixingNoticesReader(codenames);

/** Of releases beyond those: each reader keeps what it read for the suites of its release. */
const laterReaders = new Map<string, typeof readFixingNotices>();

function noticesReaderOf(codename: string): typeof readFixingNotices {
  if (codenames.includes(codename)) return readFixingNotices;
  const reader = laterReaders.get(codename) ?? fixingNoticesReader([codename]);
  laterReaders.set(codename, reader);
  return reader;
}

/** Unencrypted, as the vendor serves them: what counts is the signature. */
const pockets = [
  { name: 'security', archive: 'http://security.ubuntu.com/ubuntu' },
  { name: 'updates', archive: 'http://archive.ubuntu.com/ubuntu' },
  { name: 'backports', archive: 'http://archive.ubuntu.com/ubuntu' },
];

export const ubuntuArchiveParts: readonly Part[] = codenames.flatMap((codename) => pockets.map((pocket) => suiteOf(codename, pocket)));

export const otherUbuntuArchiveParts: OtherParts = {
  words: 'a suite of the archive, such as bionic-security',
  partOf(key) {
    const [, codename = '', name] = /^([a-z]{3,20})-([a-z]+)$/.exec(key) ?? [];
    const pocket = pockets.find((each) => each.name === name);
    return pocket === undefined ? null : suiteOf(codename, pocket);
  },
};

function suiteOf(codename: string, { name, archive }: (typeof pockets)[number]): Part {
  return packagesOf(codename, { archive, suite: `${codename}-${name}`, architecture: 'amd64', pinnedKeys: ubuntuArchiveKeys });
}

function packagesOf(codename: string, suite: AptSuite): Part {
  return {
    key: suite.suite,
    label: `Ubuntu ${suite.suite}`,
    async contents(publication: Publication): Promise<Contents> {
      const { documents, whole } = await suiteDocuments(publication, suite);
      const notices = await openDatabase(publication);
      // Made anew all day long; one of today is new enough for the urgency of a CVE.
      const today = new Date(publication.now()).toISOString().slice(0, 10);
      const priorities = await openOrLast(publication, prioritiesAddress, { version: today });
      return { documents: [...documents, ...notices, ...priorities], whole };
    },
    async *read({ documents }: Contents): AsyncGenerator<Reading> {
      const { indexes, remarks } = openedSuite(documents, suite);
      yield* remarks;
      const notices = await noticesReaderOf(codename)(databaseAmong(documents));
      const priorities = await readPriorities(documents.filter(({ url }) => url === prioritiesAddress));
      for (const index of indexes) {
        const place = { codename, archive: suite.archive, suite: suite.suite, component: index.component };
        for await (const batch of binaryPackages(index)) {
          for (const of of batch) yield 'rejected' in of ? of : ubuntuPackageEntry(place, of, notices, priorities);
        }
      }
    },
  };
}
