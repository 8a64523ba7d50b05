/** Debian's security advisories, and those of its long-term support. */
import type {
  Document,
  Feed,
  FeedItem,
  Part,
  PartManifest,
  Publication,
} from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/document-of.ts';
import { openOrLast } from '../../parsers/open-or-last.ts';
import { requireDistroInfo, unfitReleases } from '../../schemas/distro-info.ts';
import { type DpkgAdvisory, dpkgAdvisories } from '../../schemas/dpkg-advisories.ts';
import { unfixedVulnerabilities } from '../../schemas/dpkg-unfixed.ts';
import {
  cvesByPackage,
  readUrgencies,
  requireTracker,
  trackerAddress,
} from '../../schemas/dpkg-urgencies.ts';
import { type DebianBinaries, openBinaries, readBinaries } from './debian-binaries.ts';
import { debianItems, strayLine } from './debian-entry.ts';
import { debianList } from './debian-list.ts';
import {
  type DebianVersions,
  debianReleaseName,
  readVersions,
  releasesAddress,
  releasesWithSecuritySuite,
} from './debian-releases.ts';

export const debianFeed: Feed = {
  fills: [debianList],
  homepage: 'https://www.debian.org/security/',
  schedule: '50 */2 * * *',
  version: 3,
  parts: [
    advisoriesOf('DSA', 'Security advisories'),
    advisoriesOf('DLA', 'Long-term support advisories'),
  ],
};

function advisoriesOf(key: string, label: string): Part {
  const listAddress = `https://salsa.debian.org/security-tracker-team/security-tracker/raw/master/data/${key}/list`;
  return {
    key,
    label,
    async contents(publication: Publication): Promise<PartManifest> {
      const list = await publication.open(listAddress);
      // Names and urgencies only adorn the advisories: an older copy of them is better than no advisories.
      const tracker = await publication.open(trackerAddress, {
        lastGoodCopy: true,
        readThrough: requireTracker,
      });
      const releases = await openOrLast(publication, releasesAddress, {
        readThrough: requireDistroInfo,
      });
      const codenames = releasesWithSecuritySuite(
        (await releases[0]?.text()) ?? null,
        publication.now(),
      );
      const { documents, ...opened } = await openBinaries(publication, codenames);
      return { documents: [list, tracker, ...releases, ...documents], whole: true, ...opened };
    },
    async *read({ documents }: PartManifest): AsyncGenerator<FeedItem> {
      const [list, tracker] = documents;
      if (list === undefined || tracker === undefined)
        throw new Error('The list and the tracker are documents of the part');
      const binaries = await readBinaries(documents);
      const releases = documents.find(({ url }) => url === releasesAddress);
      if (releases !== undefined) await requireDistroInfo(releases);
      const table = (await releases?.text()) ?? '';
      const versions = readVersions(table);
      for (const remark of unfitReleases(table)) yield { kind: 'remark', remark };
      yield* binaries.remarks;
      yield* readList(key, list, { tracker, versions, binaries });
      // The tracker is of both parts; one of them is enough to tell it.
      if (key === 'DSA')
        yield* unfixedVulnerabilities(tracker, (codename) =>
          versions.has(codename) ? debianReleaseName(codename, versions) : null,
        );
    },
  };
}

interface Beside {
  readonly tracker: Document;
  readonly versions: DebianVersions;
  readonly binaries: DebianBinaries;
}

async function* readList(
  key: string,
  list: Document,
  { tracker, ...beside }: Beside,
): AsyncGenerator<FeedItem> {
  const advisories: DpkgAdvisory[] = [];
  for (const element of dpkgAdvisories(await list.text())) {
    if (element.kind === 'advisory') advisories.push(element.advisory);
    else yield strayLine(element.stray, list.url);
  }
  if (advisories.length === 0) throw new BrokenDocument(list.url, 'there is no advisory in it');
  const foreign = advisories.find(({ id }) => !id.startsWith(`${key}-`));
  if (foreign !== undefined)
    throw new BrokenDocument(list.url, `it lists ${foreign.id}, and is the list of ${key}`);
  const urgencies = await readUrgencies(tracker, cvesByPackage(advisories));
  for (const advisory of advisories)
    yield* debianItems(advisory, { ...beside, urgencies, url: list.url });
}
