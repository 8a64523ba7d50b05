/** The `.meta` file beside each file of NVD: size and SHA-256 of the uncompressed file, and when it was made. */
import type { Document } from '../definition/feed.ts';
import { BrokenDocument } from '../parsers/create-document.ts';
import { vendorDate } from '../values/vendor-dates.ts';

export interface NvdMeta {
  /** SHA-256 of the uncompressed file: 64 lower-case digits. */
  readonly sha256: string;
  /** Size of the uncompressed file in bytes. */
  readonly size: number;
  /** Epoch milliseconds; null when it cannot be read. */
  readonly modified: number | null;
}

/** Limit of a compressed file of records: ten times the largest year. */
export const maxFileBytes = 256 * 1024 ** 2;

/** Actual `.meta` files are much smaller. */
export const maxMetaBytes = 64 * 1024;

/**
 * Parses lines of `name:value`, with either line end.
 * @throws BrokenDocument without a checksum or a size
 */
export async function readNvdMeta(document: Document): Promise<NvdMeta> {
  const values = new Map<string, string>();
  for (const line of (await document.text()).split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0) values.set(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
  }
  const sha256 = values.get('sha256') ?? '';
  if (!/^[\da-f]{64}$/i.test(sha256))
    throw new BrokenDocument(document.url, 'it has no "sha256" of 64 hexadecimal digits');
  const size = values.get('size') ?? '';
  if (!/^\d{1,15}$/.test(size)) throw new BrokenDocument(document.url, 'it has no "size" in bytes');
  return {
    sha256: sha256.toLowerCase(),
    size: Number(size),
    modified: vendorDate(values.get('lastModifiedDate')),
  };
}
