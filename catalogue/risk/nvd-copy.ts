/**
 * Copy of NVD's records that Fraunhofer FKIE publishes daily, read when NVD does not answer. It has one file per year of the CVE's name
 * (NVD's first file covers four years) and records without the wrapper.
 */
import type { Document, Publication } from '../definition/feed.ts';
import { maxFileBytes, maxMetaBytes, readNvdMeta } from './nvd-meta.ts';

const folder = 'https://github.com/fkie-cad/nvd-json-data-feeds/releases/latest/download';

/** GitHub serves release files from separate hosts. */
const redirectHosts = [
  'github.com',
  'objects.githubusercontent.com',
  'release-assets.githubusercontent.com',
];

/** NVD's first file covers 1999 to this year. */
export const firstYear = 2002;

export interface NvdCopy {
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
