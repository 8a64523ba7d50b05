/** Feed of Rocky Linux's errata from Apollo; while Apollo is unavailable, new ones are read from the repositories. */
import type { Feed, FeedItem, Part, PartManifest, Publication } from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import { jsonRecords } from '../../parsers/json-records.ts';
import { isPublicationFailure } from '../../parsers/publication-failure.ts';
import { remarkOnAdvisory, toRockylinuxEntries } from './rockylinux-entry.ts';
import { rockylinuxList } from './rockylinux-list.ts';
import { openAdvisoryPages } from './rockylinux-pages.ts';
import { majorReleases, readAdvisory, toAdvisoryKey } from './rockylinux-record.ts';
import {
  openRepositoriesInstead,
  type RepositoryContents,
  readRepositoriesInstead,
} from './rockylinux-repositories.ts';

const incompletePagesRemark =
  'the pages contain fewer advisories than Apollo counts; missing ones are not withdrawn';

/** Narrows contents by the tag that `contents` added. */
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
      const pages = await openAdvisoryPages(publication);
      return pages.isComplete
        ? { kind: 'pages', ...pages }
        : { kind: 'pages', ...pages, remarks: [{ kind: 'remark', remark: incompletePagesRemark }] };
    } catch (error) {
      if (!isPublicationFailure(error)) throw error;
      if (error instanceof BrokenDocument) await publication.distrust?.(error.url);
      return openRepositoriesInstead(publication, error);
    }
  },
  read: (contents: PartManifest) =>
    isRepositories(contents) ? readRepositoriesInstead(contents) : readPages(contents),
};

/**
 * Reads the oldest page first. An advisory is on two pages when another was published while they were fetched; the page fetched last
 * counts.
 */
async function* readPages({ documents }: PartManifest): AsyncGenerator<FeedItem> {
  const met = new Set<string>();
  for (const document of documents.toReversed()) {
    let index = 0;
    for await (const { value } of jsonRecords(document, 'advisories')) {
      index += 1;
      const read = readAdvisory(value);
      if (read.kind !== 'advisory') {
        const { rejected, reason } = read;
        // The record's release is unknown, so its rows of all releases are kept.
        const keys =
          rejected === null ? [] : majorReleases.map((release) => toAdvisoryKey(release, rejected));
        yield {
          kind: 'rejection',
          rejected: rejected ?? `advisory ${index} of the page`,
          keys,
          reason,
          url: document.url,
        };
        continue;
      }
      if (met.has(read.advisory.id)) continue;
      met.add(read.advisory.id);
      yield* remarkOnAdvisory(read.advisory);
      yield* toRockylinuxEntries(read);
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
