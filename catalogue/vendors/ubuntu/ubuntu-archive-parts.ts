/** The suites of Ubuntu's archive that contain updates, each as a part. */
import {
  createRemark,
  type Entry,
  entry,
  type OtherParts,
  type Part,
} from '../../definition/feed.ts';
import { type AptSuite, openedSuite, suiteDocuments } from '../../parsers/apt-suite.ts';
import { type BinaryPackage, binaryPackages } from '../../parsers/dpkg-packages.ts';
import { openOrLast } from '../../parsers/open-documents.ts';
import { findUnreadableReleases, validateDistroInfo } from '../../schemas/distro-info.ts';
import { toWebAddress } from '../../values/vendor-words.ts';
import { ubuntuArchiveKeys } from './ubuntu-archive-keys.ts';
import {
  type CvePriorities,
  findHighestPriority,
  openPriorities,
  prioritiesAddress,
  readPriorities,
} from './ubuntu-cve-priorities.ts';
import {
  createFixingNoticesReader,
  type NoticesByVersion,
  toVersionKey,
} from './ubuntu-fixing-notices.ts';
import { findFreezeDate, releasesAddress } from './ubuntu-freeze-date.ts';
import { findDatabase, openDatabase } from './ubuntu-notice-database.ts';
import { type packagingPriorities, ubuntuPackageList } from './ubuntu-package-list.ts';

/** Releases whose updates Ubuntu still publishes on its archive's main host. */
const codenames = ['stonking', 'resolute', 'noble', 'jammy', 'focal'];

const readFixingNotices = createFixingNoticesReader(codenames);

/** Readers of other releases; each caches what it read for the suites of its release. */
const laterReaders = new Map<string, typeof readFixingNotices>();

function getNoticesReader(codename: string): typeof readFixingNotices {
  if (codenames.includes(codename)) return readFixingNotices;
  const reader = laterReaders.get(codename) ?? createFixingNoticesReader([codename]);
  laterReaders.set(codename, reader);
  return reader;
}

/** Unencrypted, as the vendor serves them; the signature protects them. */
const pockets = [
  { name: 'security', archive: 'http://security.ubuntu.com/ubuntu' },
  { name: 'updates', archive: 'http://archive.ubuntu.com/ubuntu' },
  { name: 'backports', archive: 'http://archive.ubuntu.com/ubuntu' },
];

/** Packages of the release itself are not updates, so administrators must add this pocket. */
const releasePocket = { name: '', archive: 'http://archive.ubuntu.com/ubuntu' };

export const ubuntuArchiveParts: readonly Part[] = codenames.flatMap((codename) =>
  pockets.map((pocket) => createSuitePart(codename, pocket)),
);

export const otherUbuntuArchiveParts: OtherParts = {
  words:
    'a suite of the archive, the tens of thousands of packages of a release itself included, such as bionic-security or bionic',
  toPart(key) {
    const [, codename, name = ''] = /^(?!notices$)([a-z]{3,20})(?:-([a-z]+))?$/.exec(key) ?? [];
    const pocket = [...pockets, releasePocket].find((each) => each.name === name);
    return codename === undefined || pocket === undefined
      ? null
      : createSuitePart(codename, pocket);
  },
};

function createSuitePart(codename: string, { name, archive }: (typeof pockets)[number]): Part {
  const suite = name === '' ? codename : `${codename}-${name}`;
  return createPackagesPart(codename, {
    archive,
    suite,
    architecture: 'amd64',
    pinnedKeys: ubuntuArchiveKeys,
  });
}

function createPackagesPart(codename: string, suite: AptSuite): Part {
  return {
    key: suite.suite,
    label: `Ubuntu ${suite.suite}`,
    async contents(publication) {
      const { documents, ...opened } = await suiteDocuments(publication, suite);
      const notices = await openDatabase(publication);
      const priorities = await openPriorities(publication);
      const releases =
        suite.suite === codename
          ? await openOrLast(publication, releasesAddress, { readThrough: validateDistroInfo })
          : [];
      return { documents: [...documents, ...notices, ...priorities, ...releases], ...opened };
    },
    async *read({ documents }) {
      const { indexes, date } = openedSuite(documents, suite);
      const { notices, remarks } = await getNoticesReader(codename)(findDatabase(documents));
      yield* remarks;
      const priorities = await readPriorities(
        documents.filter(({ url }) => url === prioritiesAddress),
      );
      const releases = (await documents.find(({ url }) => url === releasesAddress)?.text()) ?? null;
      for (const remark of findUnreadableReleases(releases ?? '')) yield createRemark(remark);
      const frozen = suite.suite === codename ? findFreezeDate(codename, date, releases) : null;
      for (const index of indexes) {
        const location = {
          codename,
          archive: suite.archive,
          suite: suite.suite,
          component: index.component,
          frozen,
        };
        for await (const batch of binaryPackages(index)) {
          for (const item of batch)
            yield item.kind === 'rejection'
              ? item
              : toUbuntuPackageEntry(location, item, notices, priorities);
        }
      }
    },
  };
}

interface PackageLocation {
  readonly codename: string;
  readonly archive: string;
  readonly suite: string;
  readonly component: string;
  /** When all packages of the suite were frozen, epoch milliseconds; null while they change. */
  readonly frozen: number | null;
}

/** The natural key contains the version, because an index sometimes lists several versions of a package. */
function toUbuntuPackageEntry(
  location: PackageLocation,
  binaryPackage: BinaryPackage,
  notices: NoticesByVersion['notices'],
  priorities: CvePriorities,
): Entry {
  const { codename, archive, suite, component, frozen } = location;
  // Signed kernels have a source package of their own, which no notice names; notices name its binary packages.
  const fixing =
    notices.get(
      toVersionKey(codename, 'source', binaryPackage.source, binaryPackage.sourceVersion),
    ) ?? notices.get(toVersionKey(codename, 'binary', binaryPackage.name, binaryPackage.version));
  const { priority: urgency, unknownWords } = findHighestPriority(fixing?.cves ?? [], priorities);
  const first = fixing?.first ?? null;
  const patchId = [
    suite,
    component,
    binaryPackage.name,
    binaryPackage.version,
    binaryPackage.architecture,
  ].join('|');
  return entry(
    ubuntuPackageList,
    patchId,
    {
      patchId,
      title: binaryPackage.synopsis ?? binaryPackage.name,
      sourcePkgName: binaryPackage.source,
      sourcePkgVersion: binaryPackage.sourceVersion,
      binaryPkgName: binaryPackage.name,
      binaryPkgVersion: binaryPackage.version,
      releaseDate: fixing?.published ?? frozen,
      distribution: suite,
      urgency,
      // Unknown words are shown as written and reported.
      priority: binaryPackage.priority as (typeof packagingPriorities)[number] | null,
      arch: binaryPackage.architecture,
      phasedUpdate: binaryPackage.phased,
    },
    {
      releaseDateFrom:
        first !== null ? `Notice ${first}` : frozen === null ? null : `Release file of ${suite}`,
      component,
      section: binaryPackage.section,
      size: binaryPackage.size,
      downloadUrl:
        binaryPackage.filename === null
          ? null
          : toWebAddress(`${archive}/${binaryPackage.filename}`),
      checksum: binaryPackage.sha256,
      description: binaryPackage.description,
      notices: [...(fixing?.notices ?? [])],
      cve: [...(fixing?.cves ?? [])],
    },
    unknownWords,
  );
}
