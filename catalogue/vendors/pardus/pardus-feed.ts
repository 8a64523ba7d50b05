/** Feed of Pardus' archives: its own packages, those it takes from Debian, and its security updates. */

import { z } from 'zod';
import {
  createRejection,
  createRemark,
  type Entry,
  entry,
  type Feed,
  type Part,
} from '../../definition/feed.ts';
import { type AptSuite, openedSuite, suiteDocuments } from '../../parsers/apt-suite.ts';
import { type BinaryPackage, binaryPackages } from '../../parsers/dpkg-packages.ts';
import { readJsonDocument } from '../../parsers/read-json-document.ts';
import { invalidReason, toWord } from '../../values/vendor-words.ts';
import { type DebianBase, openDebianBase, readDebianBase } from './pardus-debian-base.ts';
import { pardusList } from './pardus-list.ts';

interface PardusSuite extends AptSuite {
  /** Key of the part: `guvenlik yirmiuc-deb`. */
  readonly key: string;
  /** `Pardus 23 guvenlik`: the release, and its layer unless it is Pardus' own. */
  readonly osVersion: string;
  /** Code name of the Debian release that it is made from. */
  readonly base: string;
}

/** As listed in pardus-update's sources. Since 23, Debian's packages have a repository of their own. */
const releases = [
  {
    version: '25',
    codename: 'yirmibes',
    base: 'trixie',
    layers: ['pardus', 'pardus -deb', 'guvenlik -deb'],
  },
  {
    version: '23',
    codename: 'yirmiuc',
    base: 'bookworm',
    layers: ['pardus', 'pardus -deb', 'guvenlik -deb'],
  },
  { version: '21', codename: 'yirmibir', base: 'bullseye', layers: ['pardus', 'guvenlik'] },
  { version: '19', codename: 'ondokuz', base: 'buster', layers: ['pardus', 'guvenlik'] },
] as const;

const pardusVersions: readonly string[] = releases.map(({ version }) => version);

const layerNames = {
  pardus: '',
  'pardus -deb': ' deb',
  guvenlik: ' guvenlik',
  'guvenlik -deb': ' guvenlik',
} as const;

/** Pardus' own key is unknown; a key that an administrator trusts is used instead. */
const pinnedKeys: readonly string[] = [];

/** Addresses are https: without a pinned key only the transport authenticates them. */
const pardusSuites: readonly PardusSuite[] = releases.flatMap(
  ({ version, codename, base, layers }) =>
    layers.map((layer): PardusSuite => {
      const [repository = '', ending = ''] = layer.split(' ');
      const suite = `${codename}${ending}`;
      return {
        key: `${repository} ${suite}`,
        osVersion: `Pardus ${version}${layerNames[layer]}`,
        base,
        archive: `https://depo.pardus.org.tr/${repository}`,
        suite,
        architecture: 'amd64',
        pinnedKeys,
      };
    }),
);

const releasesSchema = z.object({ pardus: z.array(z.unknown()).min(1, 'it names no release') });
const releaseSchema = z.object({ name: z.string(), version: z.union([z.string(), z.number()]) });

/** Compares Pardus' list of releases with the known suites, so that a new release is noticed. */
const pardusReleases: Part = {
  key: 'releases',
  label: 'Pardus releases',
  async contents(publication) {
    return {
      documents: [await publication.open('https://depo.pardus.org.tr/dists.json')],
      isComplete: true,
    };
  },
  async *read({ documents }) {
    for (const document of documents) {
      const { pardus } = await readJsonDocument(document, releasesSchema, 'a list of releases');
      for (const [index, value] of pardus.entries()) {
        const release = releaseSchema.safeParse(value);
        if (!release.success) {
          yield createRejection(`release ${index + 1}`, invalidReason(release.error), document.url);
          continue;
        }
        const { name, version } = release.data;
        const number = toWord(version) ?? '';
        if (!pardusVersions.includes(number))
          yield createRemark(`Pardus ${number} (${name}) is published, and not collected yet`);
      }
    }
  },
};

export const pardusFeed: Feed = {
  fills: [pardusList],
  homepage: 'https://depo.pardus.org.tr/',
  schedule: '20 */4 * * *',
  maxOpenBytes: 512 * 1024 ** 2,
  version: 3,
  parts: [...pardusSuites.map(createPackagesPart), pardusReleases],
};

function createPackagesPart(suite: PardusSuite): Part {
  return {
    key: suite.key,
    label: `${suite.osVersion} (${suite.key})`,
    async contents(publication) {
      const { documents, ...opened } = await suiteDocuments(publication, suite);
      return { documents: [...documents, ...(await openDebianBase(publication))], ...opened };
    },
    async *read({ documents }) {
      const { indexes } = openedSuite(documents, suite);
      const base = await readDebianBase(documents);
      const packages: BinaryPackage[] = [];
      for (const index of indexes) {
        for await (const batch of binaryPackages(index)) {
          for (const item of batch) {
            if (item.kind === 'rejection') yield item;
            else packages.push(item);
          }
        }
      }
      const builds = Map.groupBy(
        packages,
        ({ source, sourceVersion }) => `${source} ${sourceVersion}`,
      );
      for (const build of builds.values()) yield toPardusEntry(suite, build, base);
    },
  };
}

/** Versions do not state their suite: suite, source and version together are the natural key. */
function toPardusEntry(
  { key, osVersion, base }: PardusSuite,
  packages: readonly BinaryPackage[],
  debian: DebianBase,
): Entry {
  const [first] = packages;
  if (first === undefined) throw new Error('A source package has a binary package');
  const { source, sourceVersion } = first;
  const main = packages.find(({ name }) => name === source) ?? first;
  const included = debian.findAdvisory(source, sourceVersion, base);
  const advisory = included?.advisory;
  return entry(
    pardusList,
    `${key}|${source}|${sourceVersion}`,
    {
      title: advisory?.title ?? main.synopsis ?? source,
      pkgName: source,
      osVersion,
      bulletinId: advisory?.id ?? null,
      priority: included?.urgency.priority ?? null,
      pkgAndVersion: `${source} ${sourceVersion}`,
      releaseDate: advisory?.day ?? null,
    },
    {
      description: main.description,
      vendorPriority: included?.urgency.vendorPriority ?? null,
      referenceLink:
        advisory === undefined
          ? null
          : `https://security-tracker.debian.org/tracker/${advisory.id}`,
      cve: [...(advisory?.cves ?? [])],
      packages: packages.map(({ name, version, architecture, sha256 }) => ({
        name,
        version,
        architecture,
        checksum: sha256,
      })),
    },
    included?.urgency.unknownWords,
  );
}
