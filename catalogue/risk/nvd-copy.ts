/**
 * Copy of NVD's records that Fraunhofer FKIE publishes daily, read when NVD does not answer. It has one file per year of the CVE's name
 * (NVD's first file covers four years) and records without the wrapper.
 */
import type { Document, Publication } from '../definition/feed.ts';
import { BrokenDocument } from '../parsers/create-document.ts';
import { vendorDate } from '../values/vendor-dates.ts';

const folder = 'https://github.com/fkie-cad/nvd-json-data-feeds/releases/latest/download';

/** GitHub serves release files from separate hosts. */
const redirectHosts = [
  'github.com',
  'objects.githubusercontent.com',
  'release-assets.githubusercontent.com',
];

/** NVD's first file covers 1999 to this year. */
export const firstYear = 2002;

interface NvdCopy {
  readonly documents: readonly Document[];
  /** When the oldest of the files was made, epoch milliseconds; null when one of them does not state it. */
  readonly made: number | null;
}

/**
 * @param name of NVD's file: a year or `modified`
 * @throws NotPublished, FetchFailed or BrokenDocument
 */
export async function openNvdCopy(publication: Publication, name: string): Promise<NvdCopy> {
  const documents: Document[] = [];
  let made: number | null = Number.POSITIVE_INFINITY;
  for (const copied of listCopiedFiles(name)) {
    const address = `${folder}/CVE-${copied}`;
    const limits = { maxBytes: maxMetaBytes, maxOpenBytes: maxMetaBytes, redirectHosts };
    const meta = await readNvdMeta(await publication.open(`${address}.meta`, limits));
    documents.push(
      await publication.open(`${address}.json.xz`, {
        maxBytes: maxFileBytes,
        redirectHosts,
        openChecksum: { algorithm: 'sha256', value: meta.sha256 },
        openSize: meta.size,
      }),
    );
    made = made === null || meta.modified === null ? null : Math.min(made, meta.modified);
  }
  return { documents, made };
}

function listCopiedFiles(name: string): readonly string[] {
  if (name === String(firstYear)) return ['1999', '2000', '2001', name];
  return [name.replace(/^m/, 'M')];
}

/** The `.meta` file beside each file of NVD. */
export interface NvdMeta {
  /** SHA-256 of the uncompressed file: 64 lower-case digits. */
  readonly sha256: string;
  /** Size of the uncompressed file in bytes. */
  readonly size: number;
  /** When the file was made, epoch milliseconds; null when it cannot be read. */
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
