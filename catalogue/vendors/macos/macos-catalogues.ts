/** Addresses of Apple's software update catalogues: one that merges all systems, and one for each system. */
import { NotPublished } from '../../definition/document-errors.ts';
import type { Document, Publication } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import { readProducts } from './macos-product.ts';
import { parseMacosMajor } from './macos-release-name.ts';

const folder = 'https://swscan.apple.com/content/catalogs/others/';
/** Name of the merged catalogue of 2026, newest system first; later catalogues prepend their systems. */
const systemsOf2026 =
  '26-15-14-13-12-10.16-10.15-10.14-10.13-10.12-10.11-10.10-10.9-mountainlion-lion-snowleopard-leopard';
const firstYearlyMajor = 26;
const systemsBefore = ['10.13', '10.14', '10.15', '10.16', '12', '13', '14', '15'];

/** Systems are named after the year that follows their release: 26 in 2025. */
function getNewestMajor(now: number): number {
  return Math.max(firstYearlyMajor, new Date(now).getUTCFullYear() - 1999);
}

function listYearlyMajors(newest: number): string[] {
  return Array.from({ length: newest - firstYearlyMajor }, (_, index) => String(newest - index));
}

/**
 * Returns the possible addresses, newest first.
 * @param now epoch milliseconds
 */
export function listMergedAddresses(now: number): string[] {
  const newer = listYearlyMajors(getNewestMajor(now));
  return [...newer.keys(), newer.length].map((from) =>
    toAddress([...newer.slice(from), systemsOf2026].join('-')),
  );
}

/**
 * Returns the addresses, oldest system first.
 * @param now epoch milliseconds
 */
export function listSystemAddresses(now: number): string[] {
  return [
    ...systemsBefore,
    String(firstYearlyMajor),
    ...listYearlyMajors(getNewestMajor(now)).toReversed(),
  ].map(toAddress);
}

function toAddress(systems: string): string {
  return `${folder}index-${systems}.merged-1.sucatalog`;
}

/**
 * Opens the newest published catalogue.
 * @throws NotPublished when none is published
 */
export async function openMerged(
  publication: Publication,
  last: readonly Document[],
): Promise<Document> {
  const addresses = listMergedAddresses(publication.now());
  const readLast = addresses.findIndex((address) =>
    last.some(({ url }) => isCatalogueAddress(url, address)),
  );
  for (const [index, address] of addresses.entries()) {
    // A catalogue of a future system may not exist, so any failure of its address is ignored.
    const isGuessed = index < (readLast === -1 ? addresses.length - 1 : readLast);
    const document = await openForms(publication, address).catch((error: unknown) => {
      if (isGuessed) return null;
      throw error;
    });
    if (document !== null) return document;
    // An older catalogue lacks entries of the newer one and must not replace it.
    if (!isGuessed) throw new NotPublished(address);
  }
  throw new NotPublished(addresses.at(-1) ?? folder);
}

/** Opens the plain or the gzip form; null when neither is published. */
export async function openForms(
  publication: Publication,
  address: string,
): Promise<Document | null> {
  for (const url of [address, `${address}.gz`]) {
    try {
      return await publication.open(url, {
        lastGoodCopy: true,
        readThrough: validateCatalogue,
        maxBytes: 64 * 1024 ** 2,
        maxOpenBytes: 512 * 1024 ** 2,
      });
    } catch (error) {
      if (!(error instanceof NotPublished)) throw error;
    }
  }
  return null;
}

async function validateCatalogue(document: Document): Promise<void> {
  let products = 0;
  for await (const { kind } of readProducts(document)) if (kind === 'product') products += 1;
  if (products === 0) throw new BrokenDocument(document.url, 'it has no product');
}

function isCatalogueAddress(url: string, address: string): boolean {
  return url === address || url === `${address}.gz`;
}

export function isMergedCatalogue(url: string): boolean {
  return /\/index-[^/]*leopard\.merged-1\.sucatalog(?:\.gz)?$/.test(url);
}

/** Returns the system of a catalogue; null for the merged one and other addresses. */
export function parseCatalogueSystem(url: string): string | null {
  const system = /\/index-(10\.\d+|\d+)\.merged-1\.sucatalog(?:\.gz)?$/.exec(url)?.[1];
  return system === undefined ? null : parseMacosMajor(system);
}
