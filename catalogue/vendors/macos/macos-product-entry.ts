/** Maps a product of the software update catalogue to a row and detail. */
import { type Entry, entry, type UnknownWord } from '../../definition/feed.ts';
import { distinctWords, toWord } from '../../values/vendor-words.ts';
import { type Distribution, type Restart, restarts } from './macos-distribution.ts';
import { macosList } from './macos-list.ts';
import type { Product } from './macos-product.ts';
import {
  compareMajors,
  findReleaseNames,
  parseInstallerSystem,
  parseMacosMajor,
  type ReleaseName,
} from './macos-release-name.ts';
import { type SecurityReleases, toSecurityFields } from './macos-security-release.ts';
import type { ServerMetadata } from './macos-server-metadata.ts';

export interface ProductDescription {
  /** Null when Apple no longer publishes it. */
  readonly distribution: Distribution | null;
  readonly metadata: ServerMetadata | null;
  /** Systems whose catalogues list the product. */
  readonly majors: readonly string[];
}

const restartWords: Record<Restart, string> = {
  None: 'Not required',
  RequireLogout: 'Log out required',
  RecommendRestart: 'Recommended',
  RequireRestart: 'Required',
  RequireShutdown: 'Shut down required',
};

export function toMacosProductEntry(
  product: Product,
  description: ProductDescription,
  security: SecurityReleases,
): Entry {
  const { distribution, metadata } = description;
  const version = getVersion(product, description);
  const build = distribution?.build ?? null;
  const restart = getStrongestRestart(distribution?.restart ?? null, metadata?.restart ?? null);
  const { row, detail } = toSecurityFields(
    security.findContent(toReleaseName(product, description), build),
  );
  return entry(
    macosList,
    product.key,
    {
      productKey: product.key,
      title: getTitle(product, description),
      releaseDate: product.postDate,
      osVersion: listSystems(product, version, description),
      version,
      build,
      ...row,
    },
    {
      description: distribution?.description ?? metadata?.description ?? null,
      distributionFileName: getFileName(product.distributionUrl),
      restartBehaviour: restart === null ? null : restartWords[restart],
      vendorRestart: distinctWords([...(distribution?.restartWords ?? []), metadata?.restartWord]),
      ...detail,
      packages: product.packages.map(({ url, size, digest }) => ({
        name: getFileName(url),
        size,
        checksum: digest,
        downloadUrl: url,
      })),
    },
    findUnknownWords(product, description),
  );
}

function findUnknownWords(
  { installer }: Product,
  { distribution, metadata }: ProductDescription,
): UnknownWord[] {
  const words = distinctWords([...(distribution?.unknownRestarts ?? []), metadata?.unknownRestart]);
  const systems = distinctWords(
    installer
      .map((identifier) => parseInstallerSystem(identifier))
      .map((system) => (system?.major === null ? system.title : null)),
  );
  return [
    ...words.map((word) => ({ vocabulary: 'restart behaviour', word, shownAs: 'nothing' })),
    ...systems.map((word) => ({ vocabulary: 'system', word, shownAs: null })),
  ];
}

function getVersion(
  product: Product,
  { distribution, metadata }: ProductDescription,
): string | null {
  return distribution?.version ?? metadata?.version ?? product.version;
}

/** Returns the name of the release that a product installs; null for products without security content, such as printer drivers. */
export function toReleaseName(
  product: Product,
  description: ProductDescription,
): ReleaseName | null {
  const title = getTitle(product, description);
  const [stated] = findReleaseNames(title);
  const version = getVersion(product, description);
  const [major] = listSystems(product, version, description);
  if (stated !== undefined)
    return {
      ...stated,
      major: stated.major ?? (stated.kind === 'Security Update' ? (major ?? null) : null),
    };
  if (version === null || !/^\d+(?:\.\d+)*$/.test(version)) return null;
  const supplemental =
    product.packages.some(({ url }) => /Supplemental/i.test(getFileName(url) ?? '')) ||
    /Supplemental/i.test(title);
  if (isInstaller(product, description.distribution) || product.type === 'macOS') {
    return { kind: 'macOS', version, extra: null, supplemental, major: parseMacosMajor(version) };
  }
  return title === 'Safari' || product.type === 'Safari'
    ? { kind: 'Safari', version, extra: null, supplemental: false, major: null }
    : null;
}

/** Falls back to the name of a file when no description states a title. */
function getTitle(product: Product, { distribution, metadata }: ProductDescription): string {
  return (
    distribution?.title ??
    metadata?.title ??
    toWord(distribution?.group?.replace(/^Install /, '')) ??
    findSystem(product)?.title ??
    getFileName(product.metadataUrl ?? product.packages[0]?.url ?? null)?.replace(
      /\.[a-z]+$/i,
      '',
    ) ??
    product.key
  );
}

function listSystems(
  product: Product,
  version: string | null,
  { distribution, majors }: ProductDescription,
): string[] {
  const system = findSystem(product);
  if (isInstaller(product, distribution)) {
    const major = (version === null ? null : parseMacosMajor(version)) ?? system?.major;
    if (major) return [major];
  }
  const productMajor =
    product.type === 'macOS' && product.version !== null ? parseMacosMajor(product.version) : null;
  if (productMajor !== null) return [productMajor];
  return distinctWords(majors.length > 0 ? majors : (distribution?.systems ?? [])).toSorted(
    compareMajors,
  );
}

export function isInstaller({ installer }: Product, distribution: Distribution | null): boolean {
  return (
    installer.length > 0 || /^Install (?:macOS|OS X|Mac OS X)\b/.test(distribution?.group ?? '')
  );
}

function findSystem({ installer }: Product) {
  return installer.map(parseInstallerSystem).find((system) => system !== null) ?? null;
}

function getStrongestRestart(a: Restart | null, b: Restart | null): Restart | null {
  const ranks = [a, b].map((restart) => (restart === null ? -1 : restarts.indexOf(restart)));
  return restarts[Math.max(...ranks)] ?? null;
}

function getFileName(url: string | null): string | null {
  if (url === null) return null;
  const name = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return toWord(decodeURIComponent(name));
  } catch {
    return toWord(name);
  }
}
