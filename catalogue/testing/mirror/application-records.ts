/** Records of Apple's products and third-party applications in the feed mirror, from an independent reading. */
import { existsSync, globSync } from 'node:fs';
import { macosFeed } from '../../vendors/macos/macos-feed.ts';
import { applications } from '../../vendors/thirdparty/thirdparty-applications.ts';
import { thirdpartyFeed } from '../../vendors/thirdparty/thirdparty-feed.ts';
import { feedMirror } from '../describe-with-mirror.ts';
import { findPart } from '../find-part.ts';
import { publicationFrom } from '../publication-from.ts';
import {
  everyMatch,
  type MirrorRecord,
  type MirrorSubject,
  mirrorJson,
  mirrorPath,
  mirrorText,
} from './mirror-record.ts';

const catalogues = 'swscan.apple.com/content/catalogs/others/';
const merged =
  'index-26-15-14-13-12-10.16-10.15-10.14-10.13-10.12-10.11-10.10-10.9-mountainlion-lion-snowleopard-leopard.merged-1.sucatalog';

interface SofaRelease {
  readonly ProductVersion: string;
  readonly SecurityInfo: string;
  readonly CVEs: Readonly<Record<string, boolean>>;
  readonly ActivelyExploitedCVEs: readonly string[];
}

function sofaReleases(): ReadonlyMap<string | undefined, SofaRelease> {
  const { OSVersions } = mirrorJson('sofafeed.macadmins.io/v1/macos_data_feed.json') as {
    OSVersions: { SecurityReleases: SofaRelease[] }[];
  };
  const all = OSVersions.flatMap(({ SecurityReleases }) => SecurityReleases);
  return new Map(all.map((release) => [release.ProductVersion, release]));
}

/** Returns SOFA's statements about a release. */
function getSecurity(release: SofaRelease | undefined) {
  const cves = Object.keys(release?.CVEs ?? {});
  const exploited = release?.ActivelyExploitedCVEs ?? [];
  return {
    row: { cve: cves, exploited: release === undefined ? null : exploited.length > 0 },
    detail: { securityContent: release?.SecurityInfo ?? null },
    vulnerabilities: cves.map((cve) => `${cve} ${exploited.includes(cve)}`),
  };
}

/** Reads a product's description; a damaged one yields only its strings. */
function readDescription(address: string | undefined) {
  const path = address?.replace('https://', '') ?? '';
  if (path === '' || !existsSync(mirrorPath + path)) return null;
  const text = mirrorText(path);
  const string = (name: string) =>
    new RegExp(`^(?:.*CDATA\\[)?"${name}" ?= ?(["'])(.*?)\\1;`, 'm').exec(text)?.[2];
  const inside = (name: string) =>
    text.includes('</choices-outlin\n')
      ? undefined
      : new RegExp(`<key>${name}</key>\\s*<string>(.*?)<`).exec(text)?.[1];
  return {
    title: string('SU_TITLE'),
    version: inside('macOSProductVersion') ?? inside('VERSION') ?? string('SU_VERS'),
    build: inside('macOSProductBuildVersion') ?? inside('BUILD') ?? null,
  };
}

/** Splits the catalogue by its indentation, so that no XML reader is needed. */
function productsIn(name: string): string[] {
  const text = mirrorText(catalogues + name).replaceAll('    ', '\t');
  const [begin, indent] = /<key>Products<\/key>\s*<dict>\n(\t+)<key>/.exec(text) ?? [];
  const products = text.slice(text.indexOf(begin ?? ''));
  return products.split(new RegExp(`^${indent}<key>`, 'm')).slice(1);
}

const getKey = (product: string) => product.slice(0, product.indexOf('<'));

function macosRecords(): MirrorRecord[] {
  const releases = sofaReleases();
  const listed = Object.entries({ '11': '10.16', '12': '12', '13': '13', '14': '14' }).map(
    ([major, name]) =>
      [major, new Set(productsIn(`index-${name}.merged-1.sucatalog`).map(getKey))] as const,
  );
  return productsIn(merged).map((product) => {
    const one = (pattern: RegExp) => pattern.exec(product)?.[1];
    const key = getKey(product);
    const english =
      one(/<key>English<\/key>\s*<string>(.*?)</) ?? one(/<key>en<\/key>\s*<string>(.*?)</);
    const description = readDescription(english);
    const isRelease = description?.title?.startsWith('macOS ') === true;
    const security = getSecurity(isRelease ? releases.get(description.version) : undefined);
    // Safari and bridgeOS count their own versions.
    const system = product.includes('<string>macOS</string>')
      ? one(/<key>ProductVersion<\/key>\s*<string>(\d+\.\d+)/)
      : undefined;
    const isPlain = description === null && !product.includes('.pkg.InstallAssistant.macOS');
    const majors = listed.flatMap(([major, keys]) => (keys.has(key) ? major : []));
    const sizes = everyMatch(product, /<key>Size<\/key>\s*<integer>(\d+)</g);
    const addresses = everyMatch(product, /<key>URL<\/key>\s*<string>(.*?)</g);
    return {
      key,
      row: {
        productKey: key,
        releaseDate: Date.parse(one(/<key>PostDate<\/key>\s*<date>(.*?)<\/date>/) ?? ''),
        ...(isPlain ? { osVersion: system === undefined ? majors : [system] } : {}),
        ...(description && {
          title: description.title,
          version: description.version,
          build: description.build,
          ...security.row,
        }),
      },
      detail: {
        distributionFileName: english?.split('/').at(-1),
        ...(description && security.detail),
      },
      tables: {
        packages: addresses.map((address, index) => `${sizes[index]} ${address}`),
        ...(description && { vulnerabilities: security.vulnerabilities }),
      },
    };
  });
}

const manifests = 'raw.githubusercontent.com/microsoft/winget-pkgs/master/manifests';
const facts = [
  'InstallerUrl',
  'InstallerSha256',
  'Silent',
  'SilentWithProgress',
  'InstallLocation',
  'ProductCode',
  'UpgradeCode',
  'InstallerType',
  'Scope',
];

const value = (text: string, name: string) =>
  new RegExp(`^[ -]*${name}: *(["']?)(.*?)\\1\\r?$`, 'm').exec(text)?.[2];

function wingetManifest(id: string) {
  const [path] = globSync(`${manifests}/*/${id.replaceAll('.', '/')}/*/${id}.installer.yaml`, {
    cwd: mirrorPath,
  });
  if (path === undefined) return null;
  const [outer = '', inner = ''] = mirrorText(path).split(/^Installers:\r?$/m);
  const locale = mirrorText(path.replace('.installer.', '.locale.en-US.'));
  return {
    row: {
      name: value(locale, 'PackageName'),
      manufacturer: value(locale, 'Publisher'),
      description: value(locale, 'ShortDescription'),
    },
    installers: inner
      .split(/^- /m)
      .slice(1)
      .map((installer) => {
        const words = facts.map((name) => value(`- ${installer}`, name) ?? value(outer, name));
        return [
          value(outer, 'PackageVersion'),
          words[0],
          words[1]?.toLowerCase(),
          ...words.slice(2),
        ]
          .map((word) => word ?? 'none')
          .join(' ');
      }),
  };
}

interface ScoopManifest {
  readonly version: string;
  readonly architecture?: Readonly<Record<string, { readonly url: string }>>;
}

function applicationRecord({ id, scoop = '/' }: (typeof applications)[number]): MirrorRecord {
  const [bucket, name] = scoop.split('/');
  const path = `raw.githubusercontent.com/ScoopInstaller/${bucket}/master/bucket/${name}.json`;
  const manifest = existsSync(mirrorPath + path) ? (mirrorJson(path) as ScoopManifest) : null;
  const winget = wingetManifest(id);
  return {
    key: id,
    row: winget?.row ?? {},
    tables: {
      releasePackages: winget?.installers ?? [],
      'releasePackages of Scoop': Object.values(manifest?.architecture ?? {}).map(
        ({ url }) => url.split('#')[0] ?? '',
      ),
      versions: manifest === null ? [] : [`Scoop ${manifest.version}`],
    },
  };
}

const thirdparty = (category: string, count: number): MirrorSubject => ({
  part: findPart(thirdpartyFeed, category),
  count,
  says: 1,
  // Each source adds its own installers.
  tablesHaveMore: true,
  words: {
    releasePackages: (row) =>
      [
        'version',
        'downloadUrl',
        'checksum',
        'silentSwitches',
        'progressSwitches',
        'locationSwitch',
        'productCode',
        'upgradeCode',
        'installerType',
        'scope',
      ]
        .map((name) => row[name] ?? 'none')
        .join(' '),
    'releasePackages of Scoop': ({ downloadUrl = '' }) => downloadUrl,
    versions: ({ source, version }) => `${source} ${version}`,
  },
  records: () =>
    applications.filter((of) => of.category.toLowerCase() === category).map(applicationRecord),
});

export const applicationSubjects: Readonly<Record<string, MirrorSubject>> = {
  macOS: {
    part: findPart(macosFeed, 'software'),
    count: 736,
    says: [
      'Apple serves no description of 698 of 736 products',
      'Damaged descriptions were read in part: 001-36801 (not well formed',
    ],
    publication: async () => publicationFrom(feedMirror, { now: Date.UTC(2026, 3, 12) }),
    words: {
      packages: ({ size, downloadUrl }) => `${size} ${downloadUrl}`,
      vulnerabilities: ({ cve, exploited }) => `${cve} ${exploited}`,
    },
    records: macosRecords,
    isShort: true,
  },
  'browsers of third parties': { ...thirdparty('browser', 20), isShort: true },
  'compression of third parties': thirdparty('compression', 7),
  'offices of third parties': thirdparty('office', 13),
};
