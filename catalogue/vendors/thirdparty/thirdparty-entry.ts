/** What the list shows of an application: one row, with the installers of all versions that its sources tell of. */
import { v5 as uuidOfName } from 'uuid';
import { type Entry, entry, type UnknownWord } from '../../definition/feed.ts';
import { distinctWords, webAddressOf, wordOf } from '../../values/vendor-words.ts';
import { newestFirst, newestRelease } from './newest-release.ts';
import { distinctPackages, releasePackageRows } from './release-package.ts';
import type { Application } from './thirdparty-applications.ts';
import { thirdpartyList } from './thirdparty-list.ts';
import type { SourceWords } from './thirdparty-sources.ts';

/** Sources in their order: what the first of them says counts. */
export function thirdPartyEntry(application: Application, sources: readonly SourceWords[]): Entry {
  const { id, category } = application;
  const said = <Name extends keyof SourceWords>(name: Name) =>
    sources.map((source) => source[name]).find((value) => value ?? false);
  const newest = newestRelease(sources);
  const notes = sources.find(
    ({ notesOf }) => typeof notesOf === 'string' && newest.spellings.has(notesOf),
  );
  const name = wordOf(said('name')) ?? application.name;
  const packages = distinctPackages(sources.flatMap((source) => source.packages ?? []));
  return entry(
    thirdpartyList,
    id,
    {
      uuid: uuidOfName(id, uuidOfName.DNS),
      name,
      manufacturer: wordOf(said('manufacturer')) ?? application.manufacturer,
      description: said('description') ?? null,
      category,
    },
    {
      packageId: id,
      version: newest.version,
      versionNote: newest.note,
      releaseDate: newest.releaseDate,
      releaseNotes: notes?.notes ?? null,
      releaseNotesLink: webAddressOf(notes?.notesLink),
      referenceLink: webAddressOf(said('page')),
      tags: distinctWords(sources.find(({ tags = [] }) => tags.length > 0)?.tags ?? []),
      versions: newest.versions,
      releasePackages: releasePackageRows(name, newestFirst(packages)),
    },
    distinctUnknown(sources.flatMap(({ unknownWords = [] }) => unknownWords)),
  );
}

/** The same word may stand in several manifests of one application. */
function distinctUnknown(words: readonly UnknownWord[]): UnknownWord[] {
  return [...new Map(words.map((one) => [`${one.vocabulary} ${one.word}`, one])).values()];
}
