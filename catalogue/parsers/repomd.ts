/** Reads repodata/repomd.xml, the index of an RPM repository that lists all other metadata with checksums. */
import type { Checksum, Document } from '../definition/feed.ts';
import { BrokenDocument } from './create-document.ts';
import { child, childText, type XmlElement } from './xml-element.ts';
import { BrokenXml } from './xml-fault.ts';
import { xmlRecords } from './xml-reader.ts';

export interface RepomdRecord {
  readonly url: string;
  /** Checksum of the file as served. */
  readonly checksum: Checksum;
  /** Checksum of the decompressed file; null when the repository states none. */
  readonly openChecksum: Checksum | null;
  readonly size: number | null;
  readonly openSize: number | null;
}

/**
 * Returns the record of exactly that type (`updateinfo`, never `updateinfo_db` or `updateinfo_zck`); null when the repository has
 * none. Throws BrokenDocument when the document is not an index, or when its record has no checksum or leads out of the
 * repository.
 */
export async function repomdRecord(repomd: Document, type: string): Promise<RepomdRecord | null> {
  let found: XmlElement | undefined;
  try {
    for await (const data of xmlRecords(repomd.chunks(), ['repomd/data']))
      if (data.attributes.type === type) found ??= data;
  } catch (error) {
    throw error instanceof BrokenXml
      ? new BrokenDocument(repomd.url, error.message, { cause: error })
      : error;
  }
  if (found === undefined) return null;
  const broken = (problem: string) =>
    new BrokenDocument(repomd.url, `its entry ${type} ${problem}`);
  const href = child(found, 'location')?.attributes.href?.trim() ?? '';
  const url = addressBelow(getRepositoryUrl(repomd.url), href);
  if (url === null) throw broken(`lies at "${href}", which is not a path inside of the repository`);
  const checksum = readChecksum(child(found, 'checksum'));
  if (checksum === null) throw broken('has no checksum that can be verified');
  return {
    url,
    checksum,
    openChecksum: readChecksum(child(found, 'open-checksum')),
    size: readBytes(childText(found, 'size')),
    openSize: readBytes(childText(found, 'open-size')),
  };
}

/** Converts https://host/repo/repodata/repomd.xml to https://host/repo/. */
function getRepositoryUrl(repomdUrl: string): string {
  return new URL('..', repomdUrl).href;
}

/** Accepts only plain relative paths below the repository: the index is not trusted to redirect elsewhere. */
function addressBelow(repository: string, href: string): string | null {
  const plain =
    /^[^/\\:?#%\s][^\\:?#%\s]*$/.test(href) &&
    !href.split('/').some((step) => step === '.' || step === '..');
  if (!plain) return null;
  const { href: url } = new URL(href, repository);
  return url.startsWith(repository) ? url : null;
}

const algorithms: Readonly<
  Record<string, { readonly algorithm: Checksum['algorithm']; readonly length: number }>
> = {
  sha: { algorithm: 'sha1', length: 40 }, // createrepo's first name of SHA-1
  sha1: { algorithm: 'sha1', length: 40 },
  sha256: { algorithm: 'sha256', length: 64 },
  sha512: { algorithm: 'sha512', length: 128 },
};

function readChecksum(element: XmlElement | undefined): Checksum | null {
  const type = element?.attributes.type?.trim().toLowerCase() ?? '';
  const value = element?.text.trim().toLowerCase() ?? '';
  const known = Object.hasOwn(algorithms, type) ? algorithms[type] : undefined;
  return known !== undefined && value.length === known.length && /^[\da-f]+$/.test(value)
    ? { algorithm: known.algorithm, value }
    : null;
}

function readBytes(text: string | null): number | null {
  const bytes = Number(text ?? Number.NaN);
  return Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : null;
}
