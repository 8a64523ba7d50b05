/** Rocky Linux's errata, from Apollo; while it cannot be read, new ones from the repositories. */
import type { Feed, FeedItem, Part, PartManifest, Publication } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/document-of.ts';
import { jsonRecords } from '../../parsers/json-records.ts';
import { isPublicationFailure } from '../../parsers/publication-failure.ts';
import { rockylinuxEntries, rockylinuxRemarks } from './rockylinux-entry.ts';
import { rockylinuxList } from './rockylinux-list.ts';
import { advisoryPages } from './rockylinux-pages.ts';
import { advisoryKey, majorReleases, readAdvisory } from './rockylinux-record.ts';
import {
  type RepositoryContents,
  readRepositoriesInstead,
  repositoriesInstead,
} from './rockylinux-repositories.ts';

const tooFew =
  'the pages do not hold as many advisories as Apollo counts; what is missing from them is kept';

/** `contents` has tagged them. */
const isRepositories = (contents: PartManifest): contents is RepositoryContents =>
  (contents as Partial<RepositoryContents>).kind === 'repositories';

interface PageContents extends PartManifest {
  readonly kind: 'pages';
}

const advisories: Part = {
  key: 'advisories',
  label: 'Rocky Linux advisories',
  async contents(publication: Publication): Promise<PageContents | RepositoryContents> {
    try {
      const pages = await advisoryPages(publication);
      return pages.whole
        ? { kind: 'pages', ...pages }
        : { kind: 'pages', ...pages, remarks: [{ kind: 'remark', remark: tooFew }] };
    } catch (error) {
      if (!isPublicationFailure(error)) throw error;
      if (error instanceof BrokenDocument) await publication.distrust?.(error.url);
      return repositoriesInstead(publication, error);
    }
  },
  read: (contents: PartManifest) =>
    isRepositories(contents) ? readRepositoriesInstead(contents) : readPages(contents),
};

/**
 * The oldest page first. An advisory can lie on
 * two pages when one was published while they were fetched; the page fetched last counts.
 */
async function* readPages({ documents }: PartManifest): AsyncGenerator<FeedItem> {
  const met = new Set<string>();
  for (const document of documents.toReversed()) {
    let place = 0;
    for await (const { value } of jsonRecords(document, 'advisories')) {
      place += 1;
      const read = readAdvisory(value);
      if (read.kind !== 'advisory') {
        const { rejected, reason } = read;
        // For which release it was, nobody can say.
        const keys =
          rejected === null ? [] : majorReleases.map((release) => advisoryKey(release, rejected));
        yield {
          kind: 'rejection',
          rejected: rejected ?? `advisory ${place} of the page`,
          keys,
          reason,
          url: document.url,
        };
        continue;
      }
      if (met.has(read.advisory.id)) continue;
      met.add(read.advisory.id);
      yield* rockylinuxRemarks(read.advisory);
      yield* rockylinuxEntries(read);
    }
  }
}

export const rockylinuxFeed: Feed = {
  fills: [rockylinuxList],
  homepage: 'https://errata.rockylinux.org/',
  schedule: '25 */4 * * *',
  version: 2,
  parts: [advisories],
};
