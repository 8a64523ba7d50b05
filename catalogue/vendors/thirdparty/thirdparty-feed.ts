/** Feed of applications of other vendors, with a part for each category. */
import type { Feed, FeedItem, Part, PartManifest, Publication } from '../../definition/feed.ts';
import { InvalidSource } from './invalid-source.ts';
import { findContradictedChecksums } from './release-package.ts';
import {
  type Application,
  applications,
  type ThirdPartyCategory,
} from './thirdparty-applications.ts';
import { openThirdPartyContents } from './thirdparty-documents.ts';
import { toThirdPartyEntry } from './thirdparty-entry.ts';
import { thirdpartyList } from './thirdparty-list.ts';
import { readSources, type SourceFacts } from './thirdparty-sources.ts';
import { readWingetIndex, wingetIndex } from './winget-addresses.ts';

export const thirdpartyFeed: Feed = {
  fills: [thirdpartyList],
  homepage: 'https://github.com/microsoft/winget-pkgs',
  schedule: '50 */4 * * *',
  maxOpenBytes: 256 * 1024 ** 2,
  version: 4,
  parts: [
    createCategoryPart('BROWSER', 'Browsers'),
    createCategoryPart('COMPRESSION', 'Compression'),
    createCategoryPart('OFFICE', 'Office'),
  ],
};

function createCategoryPart(category: ThirdPartyCategory, label: string): Part {
  const followed = applications.filter((application) => application.category === category);
  return {
    key: category.toLowerCase(),
    label,
    contents: (publication: Publication) => openThirdPartyContents(followed, publication),
    read: (contents: PartManifest) => readApplications(followed, contents),
  };
}

async function* readApplications(
  followed: readonly Application[],
  { documents }: PartManifest,
): AsyncGenerator<FeedItem> {
  const byAddress = new Map(documents.map((document) => [document.url, document]));
  const index = byAddress.get(wingetIndex);
  if (index === undefined) throw new Error('No index is among the documents');
  const { entries, unfit, unnamed } = await readWingetIndex(
    index,
    new Set(followed.map(({ id }) => id)),
  );
  const absent: string[] = [];
  const withoutPackages: string[] = [];
  const contradicted: string[] = [];
  const withoutInstallers: string[] = [];
  for (const application of followed) {
    const unread = unfit.get(application.id);
    if (unread !== undefined) {
      const reason = `its entry of the index cannot be read: ${unread}`;
      yield { kind: 'rejection', rejected: application.id, reason, url: index.url };
      continue;
    }
    let sources: SourceFacts[];
    try {
      sources = await readSources(application, entries.get(application.id), byAddress);
    } catch (error) {
      if (!(error instanceof InvalidSource)) throw error;
      yield { kind: 'rejection', rejected: application.id, reason: error.message, url: error.url };
      continue;
    }
    if (sources.length === 0) {
      absent.push(application.name);
      continue;
    }
    if (sources.every(({ packages = [] }) => packages.length === 0))
      withoutPackages.push(application.name);
    else
      withoutInstallers.push(
        ...sources
          .filter(({ packages }) => packages?.length === 0)
          .map(({ source }) => `${source} of ${application.name}`),
      );
    for (const remark of new Set(sources.flatMap(({ remarks = [] }) => remarks)))
      yield { kind: 'remark', remark: `${application.name}: ${remark}` };
    contradicted.push(
      ...findContradictedChecksums(sources.flatMap(({ packages = [] }) => packages)),
    );
    yield toThirdPartyEntry(application, sources);
  }
  if (absent.length > 0)
    yield { kind: 'remark', remark: `None of their sources publishes ${absent.join(', ')}` };
  if (withoutPackages.length > 0)
    yield {
      kind: 'remark',
      remark: `No source publishes an installer of ${withoutPackages.join(', ')}: they are listed without`,
    };
  if (withoutInstallers.length > 0)
    yield {
      kind: 'remark',
      remark: `These name a version and no installer of it: ${withoutInstallers.join(', ')}`,
    };
  if (unnamed > 0)
    yield {
      kind: 'remark',
      remark: `Entries of the index that name no package were left out: ${unnamed}`,
    };
  if (contradicted.length > 0)
    yield {
      kind: 'remark',
      remark: `A catalogue names another checksum than the vendor, whose own is shown: ${contradicted.join(', ')}`,
    };
}
