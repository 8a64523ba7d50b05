/** The suites of Ubuntu's archive that bring updates, each a part of its own. */
import type {
  FeedItem,
  OtherParts,
  Part,
  PartManifest,
  Publication,
} from '../../definition/feed.ts';
import { type AptSuite, openedSuite, suiteDocuments } from '../../parsers/apt-suite.ts';
import { binaryPackages } from '../../parsers/dpkg-packages.ts';
import { openOrLast } from '../../parsers/open-or-last.ts';
import { requireDistroInfo, unfitReleases } from '../../schemas/distro-info.ts';
import { ubuntuArchiveKeys } from './ubuntu-archive-keys.ts';
import { openPriorities, prioritiesAddress, readPriorities } from './ubuntu-cve-priorities.ts';
import { fixingNoticesReader } from './ubuntu-fixing-notices.ts';
import { databaseAmong, openDatabase } from './ubuntu-notice-database.ts';
import { ubuntuPackageEntry } from './ubuntu-package-entry.ts';
import { frozenSince, releasesAddress } from './ubuntu-releases.ts';

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

/** The packages of the release itself: no updates, so they are collected only where an administrator adds them. */
const releasePocket = { name: '', archive: 'http://archive.ubuntu.com/ubuntu' };

export const ubuntuArchiveParts: readonly Part[] = codenames.flatMap((codename) =>
  pockets.map((pocket) => suiteOf(codename, pocket)),
);

export const otherUbuntuArchiveParts: OtherParts = {
  words:
    'a suite of the archive, the tens of thousands of packages of a release itself included, such as bionic-security or bionic',
  partOf(key) {
    const [, codename, name = ''] = /^(?!notices$)([a-z]{3,20})(?:-([a-z]+))?$/.exec(key) ?? [];
    const pocket = [...pockets, releasePocket].find((each) => each.name === name);
    return codename === undefined || pocket === undefined ? null : suiteOf(codename, pocket);
  },
};

function suiteOf(codename: string, { name, archive }: (typeof pockets)[number]): Part {
  const suite = name === '' ? codename : `${codename}-${name}`;
  return packagesOf(codename, {
    archive,
    suite,
    architecture: 'amd64',
    pinnedKeys: ubuntuArchiveKeys,
  });
}

function packagesOf(codename: string, suite: AptSuite): Part {
  return {
    key: suite.suite,
    label: `Ubuntu ${suite.suite}`,
    async contents(publication: Publication): Promise<PartManifest> {
      const { documents, ...opened } = await suiteDocuments(publication, suite);
      const notices = await openDatabase(publication);
      const priorities = await openPriorities(publication);
      const releases =
        suite.suite === codename
          ? await openOrLast(publication, releasesAddress, { readThrough: requireDistroInfo })
          : [];
      return { documents: [...documents, ...notices, ...priorities, ...releases], ...opened };
    },
    async *read({ documents }: PartManifest): AsyncGenerator<FeedItem> {
      const { indexes, date } = openedSuite(documents, suite);
      const { notices, remarks } = await noticesReaderOf(codename)(databaseAmong(documents));
      yield* remarks;
      const priorities = await readPriorities(
        documents.filter(({ url }) => url === prioritiesAddress),
      );
      const releases = (await documents.find(({ url }) => url === releasesAddress)?.text()) ?? null;
      for (const remark of unfitReleases(releases ?? '')) yield { kind: 'remark', remark };
      const frozen = suite.suite === codename ? frozenSince(codename, date, releases) : null;
      for (const index of indexes) {
        const place = {
          codename,
          archive: suite.archive,
          suite: suite.suite,
          component: index.component,
          frozen,
        };
        for await (const batch of binaryPackages(index)) {
          for (const of of batch)
            yield of.kind === 'rejection' ? of : ubuntuPackageEntry(place, of, notices, priorities);
        }
      }
    },
  };
}
