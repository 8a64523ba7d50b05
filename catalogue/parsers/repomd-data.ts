/** Fetches the metadata of a repository by the entries of its repomd.xml. */
import { NotPublished } from '../definition/document-errors.ts';
import type { Document, OpenOptions, Publication } from '../definition/feed.ts';
import { BrokenDocument } from './create-document.ts';
import { type RepomdRecord, repomdRecord } from './repomd.ts';

export interface RepositoryData {
  readonly repomd: Document;
  /** Null when the repository has no data of that type. */
  readonly data: Document | null;
}

/**
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
