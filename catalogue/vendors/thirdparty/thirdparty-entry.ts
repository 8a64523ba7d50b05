/** Maps an application to its row, with the installers of all versions in its sources. */
import { v5 as uuidOfName } from 'uuid';
import { type Entry, entry, type UnknownWord } from '../../definition/feed.ts';
import { distinctWords, toWebAddress, toWord } from '../../values/vendor-words.ts';
import { findNewestRelease, sortNewestFirst } from './newest-release.ts';
import { mergePackages, toReleasePackageRows } from './release-package.ts';
import type { Application } from './thirdparty-applications.ts';
import { thirdpartyList } from './thirdparty-list.ts';
import type { SourceFacts } from './thirdparty-sources.ts';

/** Values are taken from the first source that states them. */
export function toThirdPartyEntry(
  application: Application,
  sources: readonly SourceFacts[],
): Entry {
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
