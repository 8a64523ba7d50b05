/** A release of an RPM distribution: reads the updateinfo of its repositories, found through repomd.xml, as one. */
import { NotPublished } from '../definition/document-errors.ts';
import {
  createRemark,
  type Document,
  type Entry,
  type PartManifest,
  type Publication,
  type Rejection,
  type Remark,
} from '../definition/feed.ts';
import { openRepositoryData } from '../parsers/repomd.ts';
import type { UpdateinfoAdvisory, UpdateinfoItem } from '../parsers/updateinfo.ts';
import { isRetracted } from './updateinfo-entry.ts';
import { mergeUpdateinfo, type PublishedRelease } from './updateinfo-merge.ts';

export interface Repository {
  /** Name within the part, independent of the address: 'oss'. It is the key of the remembered updateinfo address. */
  readonly name: string;
  /** Ends in a slash. */
  readonly address: string;
}

/**
 * Opens the updateinfo of all repositories. Unpublished repositories are skipped. A repository that was read before and is gone, or
 * cannot be fetched, fails all, because the advisories are merged over the repositories. A repository without updateinfo is read from
 * its last good copy at any address; without a copy the contents are incomplete, so that no later sync withdraws its advisories.
 * @throws NotPublished when no repository is published
 */
export async function openRepositories(
  publication: Publication,
  repositories: readonly Repository[],
): Promise<PartManifest> {
  const last = await publication.readLast();
  const earlier = new EarlierReads(publication, last, repositories);
  const documents: Document[] = [];
  const absent: NotPublished[] = [];
  const remarks: Remark[] = [];
  const remember: Record<string, string> = {};
  let isComplete = true;
  for (const repository of repositories) {
    const had = earlier.getUpdateinfoAddress(repository);
    if (had !== null) remember[toFactName(repository)] = had;
    try {
      const { repomd, data } = await openRepositoryData(
        publication,
        repository.address,
        'updateinfo',
      );
      if (data !== null) {
        documents.push(data);
        remember[toFactName(repository)] = data.url;
        continue;
      }
      const copies = last.filter(
        (document) =>
          isUpdateinfo(document) && (document.url === had || isInRepository(repository, document)),
      );
      documents.push(repomd, ...copies);
      if (copies.length === 0 && earlier.mayHaveHadUpdateinfo(repository)) {
        isComplete = false;
        remember[toFactName(repository)] ??= unknownAddress;
      }
      if (copies.length > 0 || had !== null) {
        remarks.push(
          createRemark(
            `${repomd.url} names no updateinfo at present; what was read from that repository before is kept`,
          ),
        );
      }
    } catch (error) {
      const wasRead = had !== null || last.some((document) => isInRepository(repository, document));
      if (!(error instanceof NotPublished) || wasRead) throw error;
      absent.push(error);
    }
  }
  if (documents.length === 0 && absent[0] !== undefined) throw absent[0];
  return { documents, isComplete, remarks, remember };
}

/** Reads the documents that `openRepositories` returned; each advisory occurs once. */
export async function* readRepositories(
  { documents }: PartManifest,
  release: PublishedRelease,
): AsyncGenerator<UpdateinfoItem> {
  yield* mergeUpdateinfo(documents.filter(isUpdateinfo), release);
}

/** Yields the entry of each advisory that the vendor has not taken back. */
export async function* readErrata(
  contents: PartManifest,
  release: PublishedRelease,
  toKey: (id: string) => string,
  toEntry: (advisory: UpdateinfoAdvisory) => Entry,
): AsyncGenerator<Entry | Rejection | Remark> {
  for await (const item of readRepositories(contents, release)) {
    if (item.kind === 'rejection')
      yield { ...item, keys: (item.keys ?? [item.rejected]).map(toKey) };
    else if (item.kind === 'remark') yield item;
    else if (!isRetracted(item)) yield toEntry(item);
  }
}

/** State of earlier syncs. A former version remembered nothing: then only addresses are compared. */
class EarlierReads {
  readonly #remembered: Publication['remembered'];
  readonly #last: readonly Document[];
  readonly #wasReadCompletely: boolean;
  /** Whether updateinfo was read from an address that no repository has now. */
  readonly #hasMoved: boolean;

  constructor(
    { remembered, lastCompleteReadAt }: Publication,
    last: readonly Document[],
    repositories: readonly Repository[],
  ) {
    this.#remembered = remembered;
    this.#last = last;
    this.#wasReadCompletely = lastCompleteReadAt !== null;
    const isElsewhere = (document: Document) =>
      isUpdateinfo(document) &&
      !repositories.some((repository) => isInRepository(repository, document));
    this.#hasMoved = last.some(isElsewhere);
  }

  /** Returns the address that the repository's updateinfo was last read from; null when it had none. */
  getUpdateinfoAddress(repository: Repository): string | null {
    return this.#remembered?.[toFactName(repository)] ?? null;
  }

  mayHaveHadUpdateinfo(repository: Repository): boolean {
    if (this.#remembered !== undefined) return this.getUpdateinfoAddress(repository) !== null;
    return (
      this.#hasMoved ||
      (this.#wasReadCompletely &&
        !this.#last.some((document) => isInRepository(repository, document)))
    );
  }
}

/** Remembered for a repository that may have had updateinfo before addresses were remembered. */
const unknownAddress = '';

const toFactName = ({ name }: Repository) => `updateinfo of ${name}`;

const isInRepository = ({ address }: Repository, { url }: Document) => url.startsWith(address);

function isUpdateinfo({ url }: Document): boolean {
  return url.includes('/repodata/') && !url.endsWith('/repodata/repomd.xml');
}
