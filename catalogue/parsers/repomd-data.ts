/** The metadata of a repository, fetched by the entries of its repomd.xml. */
import { NotPublished } from '../definition/document-errors.ts';
import type { Document, OpenOptions, Publication } from '../definition/feed.ts';
import { BrokenDocument } from './document-of.ts';
import { type RepomdRecord, repomdRecord } from './repomd.ts';

export interface RepositoryData {
  readonly repomd: Document;
  /** Null when the repository has none of that type. */
  readonly data: Document | null;
}

/** `repository` ends in a slash. Throws NotPublished when there is no such repository, and what went wrong with anything it names. */
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
    return { repomd, data: await publication.open(record.url, optionsOf(record)) };
  } catch (error) {
    // The vendor may just have exchanged the repository between the two requests: then the index names something else by now.
    const newer = await publication.open(repomdUrl);
    const newerRecord = await repomdRecord(newer, type);
    const same =
      newerRecord?.url === record.url && newerRecord.checksum.value === record.checksum.value;
    if (same) throw named(repomdUrl, error);
    if (newerRecord === null) return { repomd: newer, data: null };
    const data = await publication
      .open(newerRecord.url, optionsOf(newerRecord))
      .catch((again: unknown) => {
        throw named(repomdUrl, again);
      });
    return { repomd: newer, data };
  }
}

/** A repository that is published and names what is not there is broken, not absent. */
function named(repomdUrl: string, error: unknown): unknown {
  if (!(error instanceof NotPublished)) return error;
  return new BrokenDocument(repomdUrl, `it names ${error.url}, which is not there`, {
    cause: error,
  });
}

/** Where a repository does not announce the size: metadata of that size are none. */
const largest = 2 * 1024 ** 3;
/** Repositories announce sizes that are off a little. */
const allowed = (announced: number | null) =>
  Math.min(largest, Math.ceil((announced ?? largest) * 1.1));

function optionsOf({ checksum, openChecksum, size, openSize }: RepomdRecord): OpenOptions {
  return {
    checksum,
    maxBytes: allowed(size),
    maxOpenBytes: allowed(openSize),
    ...(openChecksum === null ? {} : { openChecksum }),
  };
}
