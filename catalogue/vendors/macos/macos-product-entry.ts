/** What the list shows of a product of the software update catalogue. */
import { type Entry, entry } from '../../definition/feed.ts';
import { distinctWords, wordOf } from '../../shapes/vendor-words.ts';
import { type Distribution, type Restart, restarts } from './macos-distribution.ts';
import { macosList } from './macos-list.ts';
import { compareMajors, macosMajor, namedSystem } from './macos-majors.ts';
import type { Product } from './macos-product.ts';
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

export function macosProductEntry(product: Product, description: ProductDescription): Entry {
  const { distribution, metadata } = description;
  const version = distribution?.version ?? metadata?.version ?? product.version;
  const restart = strongest(distribution?.restart ?? null, metadata?.restart ?? null);
  return entry(
    macosList,
    product.key,
    {
      productKey: product.key,
      title: titleOf(product, description),
      releaseDate: product.postDate,
      osVersion: systemsOf(product, version, description),
    },
    {
      version,
      build: distribution?.build ?? null,
      description: distribution?.description ?? metadata?.description ?? null,
      distributionFileName: fileNameOf(product.distributionUrl),
      restartBehaviour: restart === null ? null : restartWords[restart],
      packages: product.packages.map(({ url, size, digest }) => ({ name: fileNameOf(url), size, checksum: digest, downloadUrl: url })),
    },
  );
}

/** What nobody describes any more is called by the name of its file. */
function titleOf(product: Product, { distribution, metadata }: ProductDescription): string {
  return (
    distribution?.title ??
    metadata?.title ??
    wordOf(distribution?.group?.replace(/^Install /, '')) ??
    systemOf(product)?.title ??
    fileNameOf(product.metadataUrl ?? product.packages[0]?.url ?? null)?.replace(/\.[a-z]+$/i, '') ??
    product.key
  );
}

function systemsOf(product: Product, version: string | null, { distribution, majors }: ProductDescription): string[] {
  const system = systemOf(product);
  if (isInstaller(product, distribution)) {
    const major = (version === null ? null : macosMajor(version)) ?? system?.major;
    if (major) return [major];
  }
  const ofProduct = product.type === 'macOS' && product.version !== null ? macosMajor(product.version) : null;
  if (ofProduct !== null) return [ofProduct];
  return distinctWords(majors.length > 0 ? majors : (distribution?.systems ?? [])).toSorted(compareMajors);
}

export function isInstaller({ installer }: Product, distribution: Distribution | null): boolean {
  return installer.length > 0 || /^Install (?:macOS|OS X|Mac OS X)\b/.test(distribution?.group ?? '');
}

function systemOf({ installer }: Product) {
  return installer.map(namedSystem).find((system) => system !== null) ?? null;
}

function strongest(one: Restart | null, other: Restart | null): Restart | null {
  return restarts[Math.max(one === null ? -1 : restarts.indexOf(one), other === null ? -1 : restarts.indexOf(other))] ?? null;
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
