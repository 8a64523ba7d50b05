/** Reads repodata/repomd.xml, the index of an RPM repository that lists all other metadata with checksums. */

import { NotPublished } from '../definition/document-errors.ts';
import type { Checksum, Document, OpenOptions, Publication } from '../definition/feed.ts';
import { BrokenDocument, convertFaults } from './create-document.ts';
import { BrokenXml, child, childText, type XmlElement } from './xml-element.ts';
import { xmlRecords } from './xml-reader.ts';

interface RepomdRecord {
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
  const entries = xmlRecords(repomd.chunks(), ['repomd/data']);
  for await (const data of convertFaults(repomd.url, BrokenXml, entries))
    if (data.attributes.type === type) found ??= data;
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

interface RepositoryData {
  readonly repomd: Document;
  /** Null when the repository has no data of that type. */
  readonly data: Document | null;
}

/**
 * Fetches the metadata of a repository by the entries of its repomd.xml.
 * Throws NotPublished when the repository does not exist, and the failure of any document that it lists.
 * @param repository ends in a slash.
 */
export async function openRepositoryData(
  publication: Publication,
  repository: string,
  type: string,
): Promise<RepositoryData> {
  const repomdUrl = `${repository}repodata/repomd.xml`;
  const repomd = await publication.open(repomdUrl);
  const record = await repomdRecord(repomd, type);
  if (record === null) return { repomd, data: null };
  try {
    return { repomd, data: await publication.open(record.url, toOpenOptions(record)) };
  } catch (error) {
    // The vendor may have exchanged the repository between the two requests; then the index has changed too.
    const newer = await publication.open(repomdUrl);
    const newerRecord = await repomdRecord(newer, type);
    const same =
      newerRecord?.url === record.url && newerRecord.checksum.value === record.checksum.value;
    if (same) throw toBroken(repomdUrl, error);
    if (newerRecord === null) return { repomd: newer, data: null };
    const data = await publication
      .open(newerRecord.url, toOpenOptions(newerRecord))
      .catch((again: unknown) => {
        throw toBroken(repomdUrl, again);
      });
    return { repomd: newer, data };
  }
}

/** Converts the failure: a published repository with a missing document is broken, not absent. */
function toBroken(repomdUrl: string, error: unknown): unknown {
  if (!(error instanceof NotPublished)) return error;
  return new BrokenDocument(repomdUrl, `it names ${error.url}, which is not there`, {
    cause: error,
  });
}

/** Limit when the repository announces no size. */
const largest = 2 * 1024 ** 3;
/** Announced sizes may be slightly off. */
const limitBytes = (announced: number | null) =>
  Math.min(largest, Math.ceil((announced ?? largest) * 1.1));

function toOpenOptions({ checksum, openChecksum, size, openSize }: RepomdRecord): OpenOptions {
  return {
    checksum,
    maxBytes: limitBytes(size),
    maxOpenBytes: limitBytes(openSize),
    ...(openChecksum === null ? {} : { openChecksum }),
  };
}
