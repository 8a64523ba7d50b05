/** Feed of Debian's security advisories and those of its long-term support. */
import type {
  Document,
  Feed,
  FeedItem,
  Part,
  PartManifest,
  Publication,
} from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import { openOrLast } from '../../parsers/open-or-last.ts';
import { findUnreadableReleases, validateDistroInfo } from '../../schemas/distro-info.ts';
import { type DpkgAdvisory, readDpkgAdvisories } from '../../schemas/dpkg-advisories.ts';
import { readPackageStatuses } from '../../schemas/dpkg-statuses.ts';
import {
  groupCvesByPackage,
  readUrgencies,
  trackerAddress,
  validateTracker,
} from '../../schemas/dpkg-urgencies.ts';
import { type DebianBinaries, openBinaries, readBinaries } from './debian-binaries.ts';
import { rejectStrayLine, toDebianItems } from './debian-entry.ts';
import { debianList } from './debian-list.ts';
import {
  type DebianVersions,
  formatDebianReleaseName,
  listReleasesWithSecuritySuite,
  readVersions,
  releasesAddress,
} from './debian-releases.ts';

export const debianFeed: Feed = {
  fills: [debianList],
  homepage: 'https://www.debian.org/security/',
  schedule: '50 */2 * * *',
  version: 4,
  parts: [
    createAdvisoriesPart('DSA', 'Security advisories'),
    createAdvisoriesPart('DLA', 'Long-term support advisories'),
  ],
};

function createAdvisoriesPart(key: string, label: string): Part {
  const listAddress = `https://salsa.debian.org/security-tracker-team/security-tracker/raw/master/data/${key}/list`;
  return {
    key,
    label,
    async contents(publication: Publication): Promise<PartManifest> {
      const list = await publication.open(listAddress);
      // Urgencies are additional: advisories with an older copy of them are better than no advisories.
      const tracker = await publication.open(trackerAddress, {
        lastGoodCopy: true,
        readThrough: validateTracker,
      });
      const releases = await openOrLast(publication, releasesAddress, {
        readThrough: validateDistroInfo,
      });
      const codenames = listReleasesWithSecuritySuite(
        (await releases[0]?.text()) ?? null,
        publication.now(),
      );
      const { documents, ...opened } = await openBinaries(publication, codenames);
      return { documents: [list, tracker, ...releases, ...documents], isComplete: true, ...opened };
    },
    async *read({ documents }: PartManifest): AsyncGenerator<FeedItem> {
      const [list, tracker] = documents;
      if (list === undefined || tracker === undefined)
        throw new Error('The list and the tracker are documents of the part');
      const binaries = await readBinaries(documents);
      const releases = documents.find(({ url }) => url === releasesAddress);
      if (releases !== undefined) await validateDistroInfo(releases);
      const table = (await releases?.text()) ?? '';
      const versions = readVersions(table);
      for (const remark of findUnreadableReleases(table)) yield { kind: 'remark', remark };
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
