/** Feed of applications of other vendors, with a part for each category. */

import { v5 as uuidOfName } from 'uuid';
import {
  createRejection,
  createRemark,
  type Entry,
  entry,
  type Feed,
  type FeedItem,
  type Part,
  type PartManifest,
  type UnknownWord,
} from '../../definition/feed.ts';
import { BrokenDocument } from '../../parsers/create-document.ts';
import { distinctWords, toWebAddress, toWord } from '../../values/vendor-words.ts';
import { InvalidSource } from './invalid-source.ts';
import { findNewestRelease, sortNewestFirst } from './newest-release.ts';
import {
  findContradictedChecksums,
  mergePackages,
  toReleasePackageRows,
} from './release-package.ts';
import {
  type Application,
  applications,
  type ThirdPartyCategory,
} from './thirdparty-applications.ts';
import { openThirdPartyContents } from './thirdparty-documents.ts';
import { thirdpartyList } from './thirdparty-list.ts';
import { readSources, type SourceFacts } from './thirdparty-sources.ts';
import { readWingetIndex, wingetIndex } from './winget-addresses.ts';

export const thirdpartyFeed: Feed = {
  fills: [thirdpartyList],
  homepage: 'https://github.com/microsoft/winget-pkgs',
  schedule: '50 */4 * * *',
  maxOpenBytes: 256 * 1024 ** 2,
  version: 5,
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
    contents: (publication) => openThirdPartyContents(followed, publication),
    read: (contents) => readApplications(followed, contents),
  };
}

async function* readApplications(
  followed: readonly Application[],
  { documents }: PartManifest,
): AsyncGenerator<FeedItem> {
  const byAddress = new Map(documents.map((document) => [document.url, document]));
  const index = byAddress.get(wingetIndex);
  if (index === undefined) throw new Error('No index is among the documents');
  const { entries, unfit, repeated, unnamed } = await readWingetIndex(
    index,
    new Set(followed.map(({ id }) => id)),
  );
  for (const id of repeated) {
    const reason = 'The vendor lists it twice with different contents. The newer entry is used.';
    yield createRejection(id, reason, index.url);
  }
  const absent: string[] = [];
  const withoutPackages: string[] = [];
  const contradicted: string[] = [];
  const withoutInstallers: string[] = [];
  for (const application of followed) {
    const unread = unfit.get(application.id);
    if (unread !== undefined) {
      const reason = `its entry of the index cannot be read: ${unread}`;
      yield createRejection(application.id, reason, index.url);
      continue;
    }
    let sources: SourceFacts[];
    try {
      sources = await readSources(application, entries.get(application.id), byAddress);
    } catch (error) {
      if (error instanceof InvalidSource)
        yield createRejection(application.id, error.message, error.url);
      else if (error instanceof BrokenDocument)
        yield createRejection(application.id, error.problem, error.url);
      else throw error;
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
      yield createRemark(`${application.name}: ${remark}`);
    contradicted.push(
      ...findContradictedChecksums(sources.flatMap(({ packages = [] }) => packages)),
    );
    yield toThirdPartyEntry(application, sources);
  }
  if (absent.length > 0) yield createRemark(`None of their sources publishes ${absent.join(', ')}`);
  if (withoutPackages.length > 0)
    yield createRemark(
      `No source publishes an installer of ${withoutPackages.join(', ')}: they are listed without`,
    );
  if (withoutInstallers.length > 0)
    yield createRemark(
      `These name a version and no installer of it: ${withoutInstallers.join(', ')}`,
    );
  if (unnamed > 0)
    yield createRemark(`Entries of the index that name no package were left out: ${unnamed}`);
  if (contradicted.length > 0)
    yield createRemark(
      `A catalogue names another checksum than the vendor, whose own is shown: ${contradicted.join(', ')}`,
    );
}

/** Values are taken from the first source that states them. */
function toThirdPartyEntry(application: Application, sources: readonly SourceFacts[]): Entry {
  const { id, category } = application;
  const findStated = <Name extends keyof SourceFacts>(name: Name) =>
    sources.map((source) => source[name]).find((value) => value ?? false);
  const newest = findNewestRelease(sources);
  const notes = sources.find(
    ({ notesOf }) => typeof notesOf === 'string' && newest.spellings.has(notesOf),
  );
  const name = toWord(findStated('name')) ?? application.name;
  const packages = mergePackages(sources.flatMap((source) => source.packages ?? []));
  return entry(
    thirdpartyList,
    id,
    {
      uuid: uuidOfName(id, uuidOfName.DNS),
      name,
      version: newest.version,
      manufacturer: toWord(findStated('manufacturer')) ?? application.manufacturer,
      description: findStated('description') ?? null,
      category,
    },
    {
      packageId: id,
      versionNote: newest.note,
      releaseDate: newest.releaseDate,
      releaseNotes: notes?.notes ?? null,
      releaseNotesLink: toWebAddress(notes?.notesLink),
      referenceLink: toWebAddress(findStated('page')),
      tags: distinctWords(sources.find(({ tags = [] }) => tags.length > 0)?.tags ?? []),
      versions: newest.versions,
      releasePackages: toReleasePackageRows(name, sortNewestFirst(packages)),
    },
    removeDuplicateWords(sources.flatMap(({ unknownWords = [] }) => unknownWords)),
  );
}

/** Several manifests of one application may contain the same word. */
function removeDuplicateWords(words: readonly UnknownWord[]): UnknownWord[] {
  return [
    ...new Map(words.map((unknown) => [`${unknown.vocabulary} ${unknown.word}`, unknown])).values(),
  ];
}
