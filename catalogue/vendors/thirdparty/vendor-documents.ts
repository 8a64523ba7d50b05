/** The documents in which a vendor tells of its own releases, with the lists of checksums that they lead to. */
import type { Document } from '../../definition/feed.ts';
import { InvalidSource, jsonOf, within } from './invalid-source.ts';
import {
  type MozillaChecksums,
  type MozillaProduct,
  mozillaChecksumAddresses,
  readMozillaChecksums,
} from './mozilla-checksums.ts';
import type { VendorSource } from './thirdparty-applications.ts';
import {
  mozillaReleases,
  readVendorReleases,
  type VendorReleases,
  vendorAddresses,
} from './vendor-releases.ts';

type Documents = ReadonlyMap<string, Document>;

/** Null when nothing is said. Throws InvalidSource. */
export async function readVendorDocuments(
  vendor: VendorSource,
  documents: Documents,
): Promise<VendorReleases | null> {
  const { url, values } = await valuesOf(vendor, documents);
  const checksums = new Map<string, MozillaChecksums>();
  if (vendor.of === 'mozilla') {
    for (const version of versionsIn(vendor, url, values)) {
      const list = mozillaChecksumAddresses(vendor.product, version).find((address) =>
        documents.has(address),
      );
      const document = documents.get(list ?? '');
      if (document !== undefined) checksums.set(version, await readMozillaChecksums(document));
    }
  }
  return within(url, () => readVendorReleases(vendor, values, (version) => checksums.get(version)));
}

export interface ListedRelease {
  readonly product: MozillaProduct;
  readonly version: string;
}

/** Those whose lists of checksums are asked for. None where the documents cannot be read: that is said when they are. */
export async function releasesWithChecksums(
  vendor: VendorSource,
  documents: Documents,
): Promise<ListedRelease[]> {
  if (vendor.of !== 'mozilla') return [];
  const { product } = vendor;
  try {
    const { url, values } = await valuesOf(vendor, documents);
    return versionsIn(vendor, url, values).map((version) => ({ product, version }));
  } catch (error) {
    if (error instanceof InvalidSource) return [];
    throw error;
  }
}

function versionsIn(
  vendor: VendorSource & { of: 'mozilla' },
  url: string,
  [newest, all]: readonly unknown[],
): readonly string[] {
  if (newest === undefined) return [];
  return within(url, () => mozillaReleases(vendor, newest, all).versions);
}

async function valuesOf(
  vendor: VendorSource,
  documents: Documents,
): Promise<{ url: string; values: unknown[] }> {
  const addresses = vendorAddresses(vendor);
  const values: unknown[] = [];
  for (const address of addresses) {
    const document = documents.get(address);
    values.push(document === undefined ? undefined : await jsonOf(document));
  }
  return { url: addresses[0] ?? '', values };
}
