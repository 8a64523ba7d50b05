/** What a repository of RPM packages says it consists of: repodata/repomd.xml, the index that names all other metadata with its checksums. */
import type { Checksum, Document } from '../definition/feed.ts';
import { BrokenDocument } from './document-of.ts';
import { child, childText, type XmlElement } from './xml-element.ts';
import { BrokenXml } from './xml-fault.ts';
import { xmlRecords } from './xml-reader.ts';

export interface RepomdRecord {
  readonly url: string;
  /** Of the file as served. */
  readonly checksum: Checksum;
  /** Of the file once decompressed; null where the repository does not say. */
  readonly openChecksum: Checksum | null;
  readonly size: number | null;
  readonly openSize: number | null;
}

/**
 * The record of exactly that type (`updateinfo`, never `updateinfo_db` or `updateinfo_zck`); null when the repository has none.
 * Throws BrokenDocument when the index is none, or when its record has no checksum or leads out of the repository.
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
  const url = addressBelow(repositoryOf(repomd.url), href);
  if (url === null) throw broken(`lies at "${href}", which is not a path inside of the repository`);
  const checksum = checksumOf(child(found, 'checksum'));
  if (checksum === null) throw broken('has no checksum that can be verified');
  return {
    url,
    checksum,
    openChecksum: checksumOf(child(found, 'open-checksum')),
    size: bytesOf(childText(found, 'size')),
    openSize: bytesOf(childText(found, 'open-size')),
  };
}

/** https://host/repo/repodata/repomd.xml is of https://host/repo/ */
function repositoryOf(repomdUrl: string): string {
  return new URL('..', repomdUrl).href;
}

/** Only plain relative paths that stay below: the index is not trusted to send us elsewhere. */
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
  sha: { algorithm: 'sha1', length: 40 }, // what createrepo called SHA-1 at first
  sha1: { algorithm: 'sha1', length: 40 },
  sha256: { algorithm: 'sha256', length: 64 },
  sha512: { algorithm: 'sha512', length: 128 },
};

function checksumOf(element: XmlElement | undefined): Checksum | null {
  const type = element?.attributes.type?.trim().toLowerCase() ?? '';
  const value = element?.text.trim().toLowerCase() ?? '';
  const known = Object.hasOwn(algorithms, type) ? algorithms[type] : undefined;
  return known !== undefined && value.length === known.length && /^[\da-f]+$/.test(value)
    ? { algorithm: known.algorithm, value }
    : null;
}

function bytesOf(text: string | null): number | null {
  const bytes = Number(text ?? Number.NaN);
  return Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : null;
}
