/** Feed of Debian's security advisories and those of its long-term support. */
import { NotPublished } from '../../definition/document-errors.ts';
import {
  createRejection,
  createRemark,
  type Document,
  type Entry,
  entry,
  type Feed,
  type FeedItem,
  type Part,
  type Rejection,
} from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import { openOrLast } from '../../parsers/open-documents.ts';
import { findUnreadableReleases, validateDistroInfo } from '../../schemas/distro-info.ts';
import {
  type DpkgAdvisory,
  type DpkgFix,
  parseAdvisoryDay,
  readDpkgAdvisories,
  type StrayLine,
  toAdvisoryList,
} from '../../schemas/dpkg-advisories.ts';
import {
  groupCvesByPackage,
  readPackageStatuses,
  readUrgencies,
  trackerAddress,
  type Urgencies,
  validateTracker,
} from '../../schemas/dpkg-tracker.ts';
import { remarkOnDates } from '../../values/vendor-dates.ts';
import { type DebianBinaries, openBinaries, readBinaries } from './debian-binaries.ts';
import { debianList } from './debian-list.ts';
import {
  type DebianVersions,
  formatDebianReleaseName,
  isKnownRelease,
  listReleasesWithSecuritySuite,
  readVersions,
  releasesAddress,
} from './debian-releases.ts';

export const debianFeed: Feed = {
  fills: [debianList],
  homepage: 'https://www.debian.org/security/',
  schedule: '50 */2 * * *',
  version: 5,
  parts: [
    createAdvisoriesPart('DSA', 'Security advisories'),
    createAdvisoriesPart('DLA', 'Long-term support advisories'),
  ],
};

function createAdvisoriesPart(key: 'DSA' | 'DLA', label: string): Part {
  return {
    key,
    label,
    async contents(publication) {
      const list = await publication.open(toAdvisoryList(key));
      // Urgencies are additional: advisories with an older copy of them are better than no advisories.
      const [tracker] = await openOrLast(publication, trackerAddress, {
        readThrough: validateTracker,
      });
      if (tracker === undefined) throw new NotPublished(trackerAddress);
      const releases = await openOrLast(publication, releasesAddress, {
        readThrough: validateDistroInfo,
      });
      const codenames = listReleasesWithSecuritySuite(
        (await releases[0]?.text()) ?? null,
        publication.now(),
      );
      const { documents, ...opened } = await openBinaries(publication, codenames);
      return {
        documents: [list, tracker, ...releases, ...documents],
        isComplete: await statesAllFixes(list),
        ...opened,
      };
    },
    async *read({ documents }) {
      const [list, tracker] = documents;
      if (list === undefined || tracker === undefined)
        throw new Error('The list and the tracker are documents of the part');
      const binaries = await readBinaries(documents);
      const releases = documents.find(({ url }) => url === releasesAddress);
      if (releases !== undefined) await validateDistroInfo(releases);
      const table = (await releases?.text()) ?? '';
      const versions = readVersions(table);
      for (const remark of findUnreadableReleases(table)) yield createRemark(remark);
      yield* binaries.remarks;
      yield* readList(key, list, { tracker, versions, binaries });
      // Both parts have the tracker; its statuses are read in one of them.
      if (key === 'DSA')
        yield* readPackageStatuses(tracker, (codename) =>
          versions.has(codename) ? formatDebianReleaseName(codename, versions) : null,
        );
    },
  };
}

/** Returns false when rows of a line cannot be determined, so that missing rows are not withdrawn then. */
async function statesAllFixes(list: Document): Promise<boolean> {
  for (const element of readDpkgAdvisories(await list.text()))
    if (element.kind === 'stray' && element.stray.mayStateOtherFixes) return false;
  return true;
}

interface ListContext {
  readonly tracker: Document;
  readonly versions: DebianVersions;
  readonly binaries: DebianBinaries;
}

async function* readList(
  key: string,
  list: Document,
  { tracker, ...context }: ListContext,
): AsyncGenerator<FeedItem> {
  const advisories: DpkgAdvisory[] = [];
  for (const element of readDpkgAdvisories(await list.text())) {
    if (element.kind === 'advisory') advisories.push(element.advisory);
    else yield rejectStrayLine(element.stray, list.url);
  }
  if (advisories.length === 0) throw new BrokenDocument(list.url, 'it contains no advisory');
  const foreign = advisories.find(({ id }) => !id.startsWith(`${key}-`));
  if (foreign !== undefined)
    throw new BrokenDocument(list.url, `it lists ${foreign.id}, and is the list of ${key}`);
  const urgencies = await readUrgencies(tracker, groupCvesByPackage(advisories));
  for (const advisory of advisories)
    yield* toDebianItems(advisory, { ...context, urgencies, url: list.url });
}

interface DebianContext {
  readonly versions: DebianVersions;
  readonly urgencies: Urgencies;
  readonly binaries: DebianBinaries;
  /** Address of the list that contains the advisory. */
  readonly url: string;
}

function* toDebianItems(advisory: DpkgAdvisory, context: DebianContext): Generator<FeedItem> {
  const { id, fixes, written } = advisory;
  yield* remarkOnDates(id, { date: written }, parseAdvisoryDay);
  if (fixes.length === 0)
    yield createRejection(id, 'it fixes no package: it is an announcement', context.url);
  for (const fix of fixes) {
    if (fix.version === null) yield rejectUnfixed(advisory, fix, context);
    else yield toFixEntry(advisory, fix, fix.version, context);
  }
}

/** The rejection has no natural keys, so that the row of a fix that the vendor takes back is withdrawn. */
function rejectUnfixed(
  { id }: DpkgAdvisory,
  { codename, pkgName, unfixed, remark }: DpkgFix,
  { url }: DebianContext,
): Rejection {
  const why = remark === null ? '' : ` (${remark})`;
  return createRejection(
    `${id} ${codename} ${pkgName}`,
    `it has no fixed version: ${unfixed}${why}`,
    url,
  );
}

/** Keeps the rows of the records that the line names. */
function rejectStrayLine({ line, text, under, fixes }: StrayLine, url: string): Rejection {
  const keys = under === null ? [] : fixes.map((fix) => toFixKey(under, fix));
  return createRejection(
    under ?? `line ${line}`,
    `line ${line} cannot be understood: ${text.slice(0, 200)}`,
    url,
    keys,
  );
}

function toFixKey(
  id: string,
  { codename, pkgName }: Pick<DpkgFix, 'codename' | 'pkgName'>,
): string {
  return `${id}|${codename}|${pkgName}`;
}

function toFixEntry(
  advisory: DpkgAdvisory,
  fix: DpkgFix,
  version: string,
  context: DebianContext,
): Entry {
  const { codename, pkgName } = fix;
  const { id, title, day, cves, notes } = advisory;
  const osVersion = formatDebianReleaseName(codename, context.versions);
  const { priority, vendorPriority, ...urgency } = context.urgencies.getUrgency(
    pkgName,
    codename,
    cves,
  );
  const unknownWords = [...urgency.unknownWords, ...advisory.unknownCves];
  const { packages, packagesFrom } = context.binaries.getFixPackages(pkgName, codename, version);
  return entry(
    debianList,
    toFixKey(id, fix),
    {
      title,
      pkgName,
      osVersion,
      bulletinId: id,
      priority,
      pkgAndVersion: `${pkgName} ${version}`,
      releaseDate: day,
    },
    {
      description: notes.join('\n') || null,
      vendorPriority,
      referenceLink: `https://security-tracker.debian.org/tracker/${id}`,
      cve: [...cves],
      packagesFrom,
      packages,
    },
    isKnownRelease(codename, context.versions)
      ? unknownWords
      : [...unknownWords, { vocabulary: 'release', word: codename, shownAs: osVersion }],
  );
}
