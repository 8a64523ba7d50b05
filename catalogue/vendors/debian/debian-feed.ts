/** Debian's security advisories, and those of its long-term support. */
import type { Contents, Document, Feed, Part, Publication, Reading } from '../../definition/feed.ts';
import { BrokenDocument } from '../../formats/document-of.ts';
import { openOrLast } from '../../formats/open-or-last.ts';
import { type DpkgAdvisory, dpkgAdvisories } from '../../shapes/dpkg-advisories.ts';
import { cvesByPackage, readUrgencies, trackerAddress } from '../../shapes/dpkg-urgencies.ts';
import { debianReadings, strayLine } from './debian-entry.ts';
import { debianList } from './debian-list.ts';
import { type DebianVersions, fallbackVersions, readVersions, releasesAddress } from './debian-releases.ts';

export const debianFeed: Feed = {
  fills: [debianList],
  homepage: 'https://www.debian.org/security/',
  schedule: '50 */2 * * *',
  version: 1,
  parts: [advisoriesOf('DSA', 'Security advisories'), advisoriesOf('DLA', 'Long-term support advisories')],
};

function advisoriesOf(key: string, label: string): Part {
  const listAddress = `https://salsa.debian.org/security-tracker-team/security-tracker/raw/master/data/${key}/list`;
  return {
    key,
    label,
    async contents(publication: Publication): Promise<Contents> {
      const list = await publication.open(listAddress);
      // Names and urgencies only adorn the advisories: an older copy of them is better than no advisories.
      const tracker = await publication.open(trackerAddress, { lastGoodCopy: true });
      const releases = await openOrLast(publication, releasesAddress);
      return { documents: [list, tracker, ...releases], whole: true };
    },
    async *read({ documents }: Contents): AsyncGenerator<Reading> {
      const [list, tracker, releases] = documents;
      if (list === undefined || tracker === undefined) throw new Error('The list and the tracker are documents of the part');
      yield* readList(list, tracker, await versionsOf(releases));
    },
  };
}

async function versionsOf(releases: Document | undefined): Promise<DebianVersions> {
  return releases === undefined ? fallbackVersions : readVersions(await releases.text(), releases.url);
}

async function* readList(list: Document, tracker: Document, versions: DebianVersions): AsyncGenerator<Reading> {
  const advisories: DpkgAdvisory[] = [];
  for (const element of dpkgAdvisories(await list.text())) {
    if ('advisory' in element) advisories.push(element.advisory);
    else yield strayLine(element.stray, list.url);
  }
  if (advisories.length === 0) throw new BrokenDocument(list.url, 'there is no advisory in it');
  const urgencies = await readUrgencies(tracker, cvesByPackage(advisories));
  for (const advisory of advisories) yield* debianReadings(advisory, { versions, urgencies, url: list.url });
}
