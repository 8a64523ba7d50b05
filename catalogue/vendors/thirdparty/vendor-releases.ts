/** Parsers of the releases that Mozilla and Google publish. */
import { z } from 'zod';
import type { UnknownWord } from '../../definition/feed.ts';
import { findUnreadableDate, vendorDate } from '../../values/vendor-dates.ts';
import type { MozillaChecksums, MozillaProduct } from './mozilla-checksums.ts';
import type { ReleasePackage } from './release-package.ts';
import type { VendorSource } from './thirdparty-applications.ts';
import { compareVersions } from './version-numbers.ts';

export interface VendorReleases {
  readonly version: string;
  readonly releaseDate: number | null;
  readonly packages: readonly ReleasePackage[];
  readonly unknownWords: readonly UnknownWord[];
  readonly remarks: readonly string[];
}

const productDetails = 'https://product-details.mozilla.org/1.0/';
const lastKnownGood =
  'https://googlechromelabs.github.io/chrome-for-testing/last-known-good-versions-with-downloads.json';
/** Limit of the releases read from Mozilla's long list. */
const newestReleases = 10;

/** Returns the addresses in the order in which `readVendorReleases` takes their documents. */
export function listVendorAddresses(source: VendorSource): string[] {
  if (source.of === 'chrome for testing') return [lastKnownGood];
  return [
    `${productDetails}${source.product}_versions.json`,
    `${productDetails}${source.product}.json`,
  ];
}

/** Returns Mozilla's checksums of a version. */
export type GetChecksums = (version: string) => MozillaChecksums | undefined;

/**
 * Returns null when no release is stated.
 * @param documents parsed; undefined for an unpublished one
 * @throws z.ZodError
 */
export function readVendorReleases(
  source: VendorSource,
  documents: readonly unknown[],
  getChecksums: GetChecksums = () => undefined,
): VendorReleases | null {
  const [first, second] = documents;
  if (first === undefined) return null;
  if (source.of === 'chrome for testing') return readChromeForTesting(first);
  const { version, releaseDate, unreadableDate, versions, unknownWords, leftOut } =
    readMozillaReleases(source, first, second);
  const packages = versions.flatMap((listedVersion) =>
    createMozillaPackages(source.product, listedVersion, getChecksums(listedVersion)),
  );
  const remarks = [
    ...(leftOut === 0
      ? []
      : [`releases that are none of ${source.product} were left out: ${leftOut}`]),
    ...(unreadableDate === null
      ? []
      : [`Mozilla's date of ${version}, "${unreadableDate}", is not a date that can be read`]),
    ...versions
      .filter((listedVersion) => getChecksums(listedVersion)?.size === 0)
      .map((listedVersion) => `Mozilla's list of checksums of ${listedVersion} has none`),
  ];
  return { version, releaseDate, packages, unknownWords, remarks };
}

const releasesForm = z.object({
  releases: z.record(
    z.string(),
    z.object({ version: z.string(), category: z.string().nullish(), date: z.unknown().optional() }),
  ),
});

export interface MozillaReleases {
  readonly version: string;
  readonly releaseDate: number | null;
  /** As written. */
  readonly unreadableDate: string | null;
  /** The newest version, and the newest listed ones of its channel. */
  readonly versions: readonly string[];
  readonly unknownWords: readonly UnknownWord[];
  /** Number of releases of another product or without a valid version. */
  readonly leftOut: number;
}

/** @throws z.ZodError */
export function readMozillaReleases(
  source: VendorSource & { of: 'mozilla' },
  newest: unknown,
  all: unknown,
): MozillaReleases {
  const version = z.object({ [source.newest]: versionForm }).parse(newest)[source.newest] ?? '';
  const { releases, leftOut } =
    all === undefined ? { releases: [], leftOut: 0 } : listReleases(source.product, all);
  const channelVersions = releases
    .filter(
      (release) =>
        release.version.endsWith('esr') === version.endsWith('esr') &&
        channels.includes(release.category ?? ''),
    )
    .map((release) => release.version)
    .toSorted((a, b) => compareVersions(b, a))
    .slice(0, newestReleases);
  const date = releases.find((release) => release.version === version)?.date;
  return {
    version,
    releaseDate: vendorDate(date),
    unreadableDate: findUnreadableDate(date),
    versions: [...new Set([version, ...channelVersions])],
    unknownWords: findUnknownCategories(releases),
    leftOut,
  };
}

/** Categories of general releases. An ESR may be in any of the three. */
const channels: readonly string[] = ['major', 'stability', 'esr'];
const forTesters: readonly string[] = ['dev'];

function findUnknownCategories(
  releases: readonly { readonly category?: string | null | undefined }[],
): UnknownWord[] {
  const written = new Set(releases.map(({ category }) => category?.trim() ?? ''));
  return [...written].flatMap((word) =>
    word === '' || channels.includes(word) || forTesters.includes(word)
      ? []
      : [{ vocabulary: 'release category', word, shownAs: 'a build for testers' }],
  );
}

/** Names contain the version with its suffix (firefox-128.8.0esr), which addresses need; `version` lacks it. */
function listReleases(product: MozillaProduct, all: unknown) {
  const listed = Object.entries(releasesForm.parse(all).releases);
  const releases = listed.flatMap(([name, release]) => {
    const version = name.startsWith(`${product}-`) ? name.slice(product.length + 1) : null;
    return version !== null && isVersion(version) ? [{ ...release, version }] : [];
  });
  z.object({ releases: z.array(z.unknown()).min(1, `it names none of ${product}`) }).parse({
    releases,
  });
  return { releases, leftOut: listed.length - releases.length };
}

/** Addresses are built from versions such as 140.5.0esr. */
const isVersion = (text: string) => /^\d+(?:\.\d+)*[a-z\d]*$/.test(text);
const versionForm = z.string().refine(isVersion, 'it is not a version');

const mozillaFolders = [
  { folder: 'win64', architecture: 'x64' },
  { folder: 'win32', architecture: 'x86' },
  { folder: 'win64-aarch64', architecture: 'arm64' },
] as const;
/** The first version of Firefox for Windows on ARM; Thunderbird has none. */
const firstOnArm = '67';

/** Addresses follow a fixed pattern; the checksums are in a list beside the files. */
function createMozillaPackages(
  product: MozillaProduct,
  version: string,
  checksums: MozillaChecksums | undefined,
): ReleasePackage[] {
  const release = `https://download-installer.cdn.mozilla.net/pub/${product}/releases/${encodeURIComponent(version)}/`;
  const name = product === 'firefox' ? 'Firefox' : 'Thunderbird';
  const onArm = product === 'firefox' && compareVersions(version, firstOnArm) >= 0;
  const createPackage = (
    folder: string,
    file: string,
    what: Pick<ReleasePackage, 'platform' | 'architecture' | 'type'>,
  ): ReleasePackage => {
    const checksum = checksums?.get(`${folder}/en-US/${file}`) ?? null;
    const url = `${release}${folder}/en-US/${encodeURIComponent(file)}`;
    return {
      ...what,
      version,
      url,
      checksum,
      vendorChecksum: checksum !== null,
      minimumOsVersion: null,
      locale: 'en-US',
      scope: null,
    };
  };
  const windows = mozillaFolders
    .filter(({ architecture }) => architecture !== 'arm64' || onArm)
    .map(({ folder, architecture }) =>
      createPackage(folder, `${name} Setup ${version}.exe`, {
        platform: 'WINDOWS',
        architecture,
        type: 'exe',
      }),
    );
  return [
    ...windows,
    createPackage('mac', `${name} ${version}.dmg`, {
      platform: 'MACOS',
      architecture: 'neutral',
      type: 'dmg',
    }),
  ];
}

const lastKnownGoodForm = z.object({
  channels: z.object({
    Stable: z.object({
      version: z.string().min(1),
      downloads: z.object({
        chrome: z.array(z.object({ platform: z.string(), url: z.string() })).optional(),
      }),
    }),
  }),
});

const chromePlatforms: Readonly<Record<string, Pick<ReleasePackage, 'platform' | 'architecture'>>> =
  {
    win64: { platform: 'WINDOWS', architecture: 'x64' },
    win32: { platform: 'WINDOWS', architecture: 'x86' },
    'mac-arm64': { platform: 'MACOS', architecture: 'arm64' },
    'mac-x64': { platform: 'MACOS', architecture: 'x64' },
    linux64: { platform: 'LINUX', architecture: 'x64' },
  };

/** Shows an unknown platform by Google's word. */
function readChromeForTesting(document: unknown): VendorReleases {
  const { version, downloads } = lastKnownGoodForm.parse(document).channels.Stable;
  const common = {
    version,
    minimumOsVersion: null,
    checksum: null,
    type: 'zip',
    locale: null,
    scope: null,
  };
  const unknownWords: UnknownWord[] = [];
  const packages = (downloads.chrome ?? []).map(({ platform, url }): ReleasePackage => {
    const known = Object.hasOwn(chromePlatforms, platform) ? chromePlatforms[platform] : undefined;
    if (known === undefined)
      unknownWords.push({ vocabulary: 'platform', word: platform, shownAs: null });
    return { ...common, ...(known ?? { platform, architecture: null }), url };
  });
  return { version, releaseDate: null, packages, unknownWords, remarks: [] };
}
