/** Feed of Pardus' archives: its own packages, those it takes from Debian, and its security updates. */
import type { Feed, FeedItem, Part, PartManifest, Publication } from '../../definition/feed.ts';
import { openedSuite, suiteDocuments } from '../../parsers/apt-suite.ts';
import { binaryPackages } from '../../parsers/dpkg-packages.ts';
import { SourcePackages } from '../../schemas/dpkg-source-packages.ts';
import { openDebianBase, readDebianBase } from './pardus-debian-base.ts';
import { toPardusEntry } from './pardus-entry.ts';
import { pardusList } from './pardus-list.ts';
import { pardusReleases } from './pardus-releases.ts';
import { type PardusSuite, pardusSuites } from './pardus-suites.ts';

export const pardusFeed: Feed = {
  fills: [pardusList],
  homepage: 'https://depo.pardus.org.tr/',
  schedule: '20 */4 * * *',
  maxOpenBytes: 512 * 1024 ** 2,
  version: 2,
  parts: [...pardusSuites.map(createPackagesPart), pardusReleases],
};

function createPackagesPart(suite: PardusSuite): Part {
  return {
    key: suite.key,
    label: `${suite.osVersion} (${suite.key})`,
    async contents(publication: Publication): Promise<PartManifest> {
      const { documents, ...opened } = await suiteDocuments(publication, suite);
      return { documents: [...documents, ...(await openDebianBase(publication))], ...opened };
    },
    async *read({ documents }: PartManifest): AsyncGenerator<FeedItem> {
      const { indexes } = openedSuite(documents, suite);
      const base = await readDebianBase(documents);
      const sources = new SourcePackages();
      for (const index of indexes) {
        for await (const batch of binaryPackages(index)) {
          for (const item of batch) {
            if (item.kind === 'rejection') yield item;
            else sources.add(item);
          }
        }
      }
      for (const packages of sources.all()) {
        const { source, sourceVersion } = packages[0];
        yield toPardusEntry(suite, packages, base.findAdvisory(source, sourceVersion, suite.base));
      }
    },
  };
}
