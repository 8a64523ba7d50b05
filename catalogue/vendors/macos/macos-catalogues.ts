/** Where Apple's software update catalogues are: one that merges all systems, and one for each system. */
import { NotPublished } from '../../definition/document-errors.ts';
import type { Document, Publication } from '../../definition/feed.ts';
import { macosMajor } from './macos-majors.ts';

const folder = 'https://swscan.apple.com/content/catalogs/others/';
/** What the merged catalogue of 2026 is named after, newest first; a later one names its systems before these. */
const systemsOf2026 =
  '26-15-14-13-12-10.16-10.15-10.14-10.13-10.12-10.11-10.10-10.9-mountainlion-lion-snowleopard-leopard';
const firstYearlyMajor = 26;
const systemsBefore = ['10.13', '10.14', '10.15', '10.16', '12', '13', '14', '15'];

/** The system that comes out in a year is named after the next one: 26 in 2025. */
function newestMajor(now: number): number {
  return Math.max(firstYearlyMajor, new Date(now).getUTCFullYear() - 1999);
}

function yearlyMajors(newest: number): string[] {
  return Array.from({ length: newest - firstYearlyMajor }, (_, place) => String(newest - place));
}

/** Newest first. */
export function mergedAddresses(now: number): string[] {
  const newer = yearlyMajors(newestMajor(now));
  return [...newer.keys(), newer.length].map((from) =>
    addressOf([...newer.slice(from), systemsOf2026].join('-')),
  );
}

/** Oldest first. */
export function systemAddresses(now: number): string[] {
  return [
    ...systemsBefore,
    String(firstYearlyMajor),
    ...yearlyMajors(newestMajor(now)).toReversed(),
  ].map(addressOf);
}

function addressOf(systems: string): string {
  return `${folder}index-${systems}.merged-1.sucatalog`;
}

/** The newest that is published. Throws NotPublished when none is. */
export async function openMerged(
  publication: Publication,
  last: readonly Document[],
): Promise<Document> {
  const addresses = mergedAddresses(publication.now());
  const readLast = addresses.findIndex((address) => last.some(({ url }) => isForm(url, address)));
  for (const [place, address] of addresses.entries()) {
    // Nobody has said that there is one for a system to come: whatever the server answers, it may not have one.
    const guessed = place < (readLast === -1 ? addresses.length - 1 : readLast);
    const document = await openForms(publication, address).catch((error: unknown) => {
      if (guessed) return null;
      throw error;
    });
    if (document !== null) return document;
    // An older one lacks what the newer one had: its place is not taken by it.
    if (!guessed) throw new NotPublished(address);
  }
  throw new NotPublished(addresses.at(-1) ?? folder);
}

/** As it is or as a gzip file; null where neither is published. */
export async function openForms(
  publication: Publication,
  address: string,
): Promise<Document | null> {
  for (const url of [address, `${address}.gz`]) {
    try {
      return await publication.open(url, {
        lastGoodCopy: true,
        maxBytes: 64 * 1024 ** 2,
        maxOpenBytes: 512 * 1024 ** 2,
      });
    } catch (error) {
      if (!(error instanceof NotPublished)) throw error;
    }
  }
  return null;
}

/** Whether it is the catalogue of that address, in either form. */
function isForm(url: string, address: string): boolean {
  return url === address || url === `${address}.gz`;
}

export function isMerged(url: string): boolean {
  return /\/index-[^/]*leopard\.merged-1\.sucatalog(?:\.gz)?$/.test(url);
}

/** The system that a catalogue is for; null for the merged one and for what is no catalogue. */
export function systemOfCatalogue(url: string): string | null {
  const system = /\/index-(10\.\d+|\d+)\.merged-1\.sucatalog(?:\.gz)?$/.exec(url)?.[1];
  return system === undefined ? null : macosMajor(system);
}
