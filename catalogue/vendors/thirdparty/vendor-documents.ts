/** Reads a vendor's own documents about its releases, and the lists of checksums that they lead to. */
import type { Document } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import { convertErrors, InvalidSource, parseJsonDocument } from './invalid-source.ts';
import {
  listMozillaChecksumAddresses,
  type MozillaChecksums,
  type MozillaProduct,
  readMozillaChecksums,
} from './mozilla-checksums.ts';
import type { VendorSource } from './thirdparty-applications.ts';
import {
  listVendorAddresses,
  readMozillaReleases,
  readVendorReleases,
  type VendorReleases,
} from './vendor-releases.ts';

type Documents = ReadonlyMap<string, Document>;

/**
 * Returns null when no release is stated.
 * @throws InvalidSource
 */
export async function readVendorDocuments(
  vendor: VendorSource,
  documents: Documents,
): Promise<VendorReleases | null> {
  const { url, values } = await parseDocuments(vendor, documents);
  const checksums = new Map<string, MozillaChecksums>();
  if (vendor.of === 'mozilla') {
    for (const version of listVersions(vendor, url, values)) {
      const list = listMozillaChecksumAddresses(vendor.product, version).find((address) =>
        documents.has(address),
      );
      const document = documents.get(list ?? '');
      if (document !== undefined) checksums.set(version, await readMozillaChecksums(document));
    }
  }
  return convertErrors(url, () =>
    readVendorReleases(vendor, values, (version) => checksums.get(version)),
  );
}

export interface ListedRelease {
  readonly product: MozillaProduct;
  readonly version: string;
}

/** Returns the releases whose checksums are requested; none when the documents cannot be read, which their reader reports. */
export async function listReleasesWithChecksums(
  vendor: VendorSource,
  documents: Documents,
): Promise<ListedRelease[]> {
  if (vendor.of !== 'mozilla') return [];
  const { product } = vendor;
  try {
    const { url, values } = await parseDocuments(vendor, documents);
    return listVersions(vendor, url, values).map((version) => ({ product, version }));
  } catch (error) {
    if (error instanceof InvalidSource || error instanceof BrokenDocument) return [];
    throw error;
  }
}

function listVersions(
  vendor: VendorSource & { of: 'mozilla' },
  url: string,
  [newest, all]: readonly unknown[],
): readonly string[] {
  if (newest === undefined) return [];
  return convertErrors(url, () => readMozillaReleases(vendor, newest, all).versions);
}

async function parseDocuments(
  vendor: VendorSource,
  documents: Documents,
): Promise<{ url: string; values: unknown[] }> {
  const addresses = listVendorAddresses(vendor);
  const values: unknown[] = [];
  for (const address of addresses) {
    const document = documents.get(address);
    values.push(document === undefined ? undefined : await parseJsonDocument(document));
  }
  return { url: addresses[0] ?? '', values };
}
