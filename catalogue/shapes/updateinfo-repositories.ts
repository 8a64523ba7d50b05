/** A release of an RPM distribution as the repositories it consists of: their updateinfo, found through repomd.xml, read as one. */
import { type Contents, type Document, NotPublished, type Publication } from '../definition/feed.ts';
import { openRepositoryData } from '../formats/repomd-data.ts';
import type { UpdateinfoReading } from '../formats/updateinfo.ts';
import { mergedUpdateinfo } from './updateinfo-merge.ts';

/**
 * `repositories` are addresses that end in a slash. Those that never were published are passed over; throws NotPublished when none is.
 * One that was read before and is gone, or cannot be fetched, fails all: the advisories of a release are merged over its repositories.
 * One that names no updateinfo any more is read from the last good copy.
 */
export async function openRepositories(publication: Publication, repositories: readonly string[]): Promise<Contents> {
  const documents: Document[] = [];
  const absent: NotPublished[] = [];
  let whole = true;
  for (const repository of repositories) {
    const readLast = async () => (await publication.readLast()).filter(({ url }) => url.startsWith(repository));
    try {
      const { repomd, data } = await openRepositoryData(publication, repository, 'updateinfo');
      if (data !== null) {
        documents.push(data);
        continue;
      }
      const last = await readLast();
      documents.push(repomd, ...last.filter((document) => !isRepomd(document)));
      // Nothing tells whether it had one before.
      if (last.length === 0 && publication.readWholeAt !== null) whole = false;
    } catch (error) {
      if (!(error instanceof NotPublished) || (await readLast()).length > 0) throw error;
      absent.push(error);
    }
  }
  if (documents.length === 0 && absent[0] !== undefined) throw absent[0];
  return { documents, whole };
}

/** Of the documents of a part, those that `openRepositories` gave; each advisory once. */
export async function* readRepositories({ documents }: Contents): AsyncGenerator<UpdateinfoReading> {
  const ofRepositories = documents.filter(({ url }) => url.includes('/repodata/'));
  for (const { url } of ofRepositories.filter(isRepomd)) {
    yield { remark: `${url} names no updateinfo at present; what was read from that repository before is kept` };
  }
  yield* mergedUpdateinfo(ofRepositories.filter((document) => !isRepomd(document)));
}

function isRepomd({ url }: Document): boolean {
  return url.endsWith('/repodata/repomd.xml');
}
