/** A release of an RPM distribution as the repositories it consists of: their updateinfo, found through repomd.xml, read as one. */
import { NotPublished } from '../definition/document-errors.ts';
import type { Document, PartManifest, Publication, Remark } from '../definition/feed.ts';
import { openRepositoryData } from '../parsers/repomd-data.ts';
import type { UpdateinfoItem } from '../parsers/updateinfo.ts';
import type { PublishedRelease } from './release-updateinfo.ts';
import { mergedUpdateinfo } from './updateinfo-merge.ts';

export interface Repository {
  /** What it is called within its part, wherever it lies: 'oss'. What it once had is remembered by this name. */
  readonly name: string;
  /** Ends in a slash. */
  readonly address: string;
}

/**
 * Repositories that never were published are passed over; throws NotPublished when none is. One that was read before and is gone, or
 * cannot be fetched, fails all: the advisories of a release are merged over its repositories. One that names no updateinfo any more is
 * read from the last good copy, wherever that came from; without a copy the contents are not whole, so that no later sync withdraws
 * what it once listed.
 */
export async function openRepositories(
  publication: Publication,
  repositories: readonly Repository[],
): Promise<PartManifest> {
  const last = await publication.readLast();
  const once = new Once(publication, last, repositories);
  const documents: Document[] = [];
  const absent: NotPublished[] = [];
  const remarks: Remark[] = [];
  const remember: Record<string, string> = {};
  let whole = true;
  for (const repository of repositories) {
    const had = once.updateinfoOf(repository);
    if (had !== null) remember[factName(repository)] = had;
    try {
      const { repomd, data } = await openRepositoryData(
        publication,
        repository.address,
        'updateinfo',
      );
      if (data !== null) {
        documents.push(data);
        remember[factName(repository)] = data.url;
        continue;
      }
      const copies = last.filter(
        (document) =>
          isUpdateinfo(document) && (document.url === had || isOf(repository, document)),
      );
      documents.push(repomd, ...copies);
      if (copies.length === 0 && once.mayHaveHad(repository)) {
        whole = false;
        remember[factName(repository)] ??= unknownAddress;
      }
      if (copies.length > 0 || had !== null) {
        remarks.push({
          kind: 'remark',
          remark: `${repomd.url} names no updateinfo at present; what was read from that repository before is kept`,
        });
      }
    } catch (error) {
      const wasRead = had !== null || last.some((document) => isOf(repository, document));
      if (!(error instanceof NotPublished) || wasRead) throw error;
      absent.push(error);
    }
  }
  if (documents.length === 0 && absent[0] !== undefined) throw absent[0];
  return { documents, whole, remarks, remember };
}

/** Of the documents of a part, those that `openRepositories` gave; each advisory once. */
export async function* readRepositories(
  { documents }: PartManifest,
  release: PublishedRelease,
): AsyncGenerator<UpdateinfoItem> {
  yield* mergedUpdateinfo(documents.filter(isUpdateinfo), release);
}

/** What is known of the time before. An earlier version remembered nothing: then only addresses tell. */
class Once {
  readonly #remembered: Publication['remembered'];
  readonly #last: readonly Document[];
  readonly #wasReadWhole: boolean;
  /** Updateinfo was read from addresses that no repository has now. */
  readonly #hasMoved: boolean;

  constructor(
    { remembered, readWholeAt }: Publication,
    last: readonly Document[],
    repositories: readonly Repository[],
  ) {
    this.#remembered = remembered;
    this.#last = last;
    this.#wasReadWhole = readWholeAt !== null;
    const isElsewhere = (document: Document) =>
      isUpdateinfo(document) && !repositories.some((repository) => isOf(repository, document));
    this.#hasMoved = last.some(isElsewhere);
  }

  /** The address that the repository's updateinfo was last read from; null when it had none. */
  updateinfoOf(repository: Repository): string | null {
    return this.#remembered?.[factName(repository)] ?? null;
  }

  mayHaveHad(repository: Repository): boolean {
    if (this.#remembered !== undefined) return this.updateinfoOf(repository) !== null;
    return (
      this.#hasMoved ||
      (this.#wasReadWhole && !this.#last.some((document) => isOf(repository, document)))
    );
  }
}

/** Remembered of a repository that may have had updateinfo before anything was remembered. */
const unknownAddress = '';

const factName = ({ name }: Repository) => `updateinfo of ${name}`;

const isOf = ({ address }: Repository, { url }: Document) => url.startsWith(address);

function isUpdateinfo({ url }: Document): boolean {
  return url.includes('/repodata/') && !url.endsWith('/repodata/repomd.xml');
}
