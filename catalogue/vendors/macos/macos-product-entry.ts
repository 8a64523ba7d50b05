/** What the list shows of a product of the software update catalogue. */
import { type Entry, entry, type UnknownWord } from '../../definition/feed.ts';
import { distinctWords, wordOf } from '../../values/vendor-words.ts';
import { type Distribution, type Restart, restarts } from './macos-distribution.ts';
import { macosList } from './macos-list.ts';
import { compareMajors, macosMajor, namedSystem } from './macos-majors.ts';
import type { Product } from './macos-product.ts';
import { type ReleaseName, releaseNamesIn } from './macos-release-name.ts';
import { securityFields } from './macos-security-fields.ts';
import type { SecurityReleases } from './macos-security-release.ts';
import type { ServerMetadata } from './macos-server-metadata.ts';

export interface ProductDescription {
  /** Null where Apple does not publish it any more. */
  readonly distribution: Distribution | null;
  readonly metadata: ServerMetadata | null;
  /** The systems whose catalogues list the product. */
  readonly majors: readonly string[];
}

const restartWords: Record<Restart, string> = {
  None: 'Not required',
  RequireLogout: 'Log out required',
  RecommendRestart: 'Recommended',
  RequireRestart: 'Required',
  RequireShutdown: 'Shut down required',
};

export function macosProductEntry(
  product: Product,
  description: ProductDescription,
  security: SecurityReleases,
): Entry {
  const { distribution, metadata } = description;
  const version = versionOf(product, description);
  const build = distribution?.build ?? null;
  const restart = strongest(distribution?.restart ?? null, metadata?.restart ?? null);
  const { row, detail } = securityFields(
    security.contentOf(releaseNameOf(product, description), build),
  );
  return entry(
    macosList,
    product.key,
    {
      productKey: product.key,
      title: titleOf(product, description),
      releaseDate: product.postDate,
      osVersion: systemsOf(product, version, description),
      version,
      ...row,
    },
    {
      build,
      description: distribution?.description ?? metadata?.description ?? null,
      distributionFileName: fileNameOf(product.distributionUrl),
      restartBehaviour: restart === null ? null : restartWords[restart],
      vendorRestart: distinctWords([...(distribution?.restartWords ?? []), metadata?.restartWord]),
      ...detail,
      packages: product.packages.map(({ url, size, digest }) => ({
        name: fileNameOf(url),
        size,
        checksum: digest,
        downloadUrl: url,
      })),
    },
    unknownWordsOf(product, description),
  );
}

function unknownWordsOf(
  { installer }: Product,
  { distribution, metadata }: ProductDescription,
): UnknownWord[] {
  const words = distinctWords([...(distribution?.unknownRestarts ?? []), metadata?.unknownRestart]);
  const systems = distinctWords(
    installer
      .map((identifier) => namedSystem(identifier))
      .map((system) => (system?.major === null ? system.title : null)),
  );
  return [
    ...words.map((word) => ({ vocabulary: 'restart behaviour', word, shownAs: 'nothing' })),
    ...systems.map((word) => ({ vocabulary: 'system', word, shownAs: null })),
  ];
}

function versionOf(
  product: Product,
  { distribution, metadata }: ProductDescription,
): string | null {
  return distribution?.version ?? metadata?.version ?? product.version;
}

/** What Apple calls the release that a product installs, where it publishes security content of such; null for a printer's driver. */
export function releaseNameOf(
  product: Product,
  description: ProductDescription,
): ReleaseName | null {
  const title = titleOf(product, description);
  const [named] = releaseNamesIn(title);
  const version = versionOf(product, description);
  const [major] = systemsOf(product, version, description);
  if (named !== undefined)
    return {
      ...named,
      major: named.major ?? (named.kind === 'Security Update' ? (major ?? null) : null),
    };
  if (version === null || !/^\d+(?:\.\d+)*$/.test(version)) return null;
  const supplemental =
    product.packages.some(({ url }) => /Supplemental/i.test(fileNameOf(url) ?? '')) ||
    /Supplemental/i.test(title);
  if (isInstaller(product, description.distribution) || product.type === 'macOS') {
    return { kind: 'macOS', version, extra: null, supplemental, major: macosMajor(version) };
  }
  return title === 'Safari' || product.type === 'Safari'
    ? { kind: 'Safari', version, extra: null, supplemental: false, major: null }
    : null;
}

/** What nobody describes any more is called by the name of its file. */
function titleOf(product: Product, { distribution, metadata }: ProductDescription): string {
  return (
    distribution?.title ??
    metadata?.title ??
    wordOf(distribution?.group?.replace(/^Install /, '')) ??
    systemOf(product)?.title ??
    fileNameOf(product.metadataUrl ?? product.packages[0]?.url ?? null)?.replace(
      /\.[a-z]+$/i,
      '',
    ) ??
    product.key
  );
}

function systemsOf(
  product: Product,
  version: string | null,
  { distribution, majors }: ProductDescription,
): string[] {
  const system = systemOf(product);
  if (isInstaller(product, distribution)) {
    const major = (version === null ? null : macosMajor(version)) ?? system?.major;
    if (major) return [major];
  }
  const ofProduct =
    product.type === 'macOS' && product.version !== null ? macosMajor(product.version) : null;
  if (ofProduct !== null) return [ofProduct];
  return distinctWords(majors.length > 0 ? majors : (distribution?.systems ?? [])).toSorted(
    compareMajors,
  );
}

export function isInstaller({ installer }: Product, distribution: Distribution | null): boolean {
  return (
    installer.length > 0 || /^Install (?:macOS|OS X|Mac OS X)\b/.test(distribution?.group ?? '')
  );
}

function systemOf({ installer }: Product) {
  return installer.map(namedSystem).find((system) => system !== null) ?? null;
}

function strongest(one: Restart | null, other: Restart | null): Restart | null {
  return (
    restarts[
      Math.max(
        one === null ? -1 : restarts.indexOf(one),
        other === null ? -1 : restarts.indexOf(other),
      )
    ] ?? null
  );
}

function fileNameOf(url: string | null): string | null {
  if (url === null) return null;
  const name = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return wordOf(decodeURIComponent(name));
  } catch {
    return wordOf(name);
  }
}
