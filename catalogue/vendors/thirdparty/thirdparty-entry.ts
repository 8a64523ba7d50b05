/** What the list shows of an application: one row, with the installers of all versions that its sources tell of. */
import { v5 as uuidOfName } from 'uuid';
import { type Entry, entry } from '../../definition/feed.ts';
import { distinctWords, webAddressOf, wordOf } from '../../shapes/vendor-words.ts';
import { releasePackageRows } from './release-package.ts';
import type { Application } from './thirdparty-applications.ts';
import { thirdpartyList } from './thirdparty-list.ts';
import type { SourceWords } from './thirdparty-sources.ts';
import { compareVersions } from './version-numbers.ts';

/** Sources in their order: what the first of them says counts. */
export function thirdPartyEntry(application: Application, sources: readonly SourceWords[]): Entry {
  const { id, category } = application;
  const said = <Name extends keyof SourceWords>(name: Name) => sources.map((source) => source[name]).find((value) => value ?? false);
  const newest = newestRelease(sources);
  const name = wordOf(said('name')) ?? application.name;
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
      version: newest?.version ?? null,
      releaseDate: newest?.releaseDate ?? null,
      referenceLink: webAddressOf(said('page')),
      tags: distinctWords(sources.find(({ tags = [] }) => tags.length > 0)?.tags ?? []),
      releasePackages: releasePackageRows(
        name,
        sources.flatMap(({ packages = [] }) => packages),
      ),
    },
  );
}

/** Of one version that several tell of, the first spelling and the first date. */
function newestRelease(sources: readonly SourceWords[]): { version: string; releaseDate: number | null } | null {
  let newest: { version: string; releaseDate: number | null } | null = null;
  for (const { version, releaseDate = null } of sources) {
    if (version === undefined) continue;
    const age = newest === null ? 1 : compareVersions(version, newest.version);
    if (age > 0) newest = { version, releaseDate };
    else if (age === 0 && newest !== null) newest = { version: newest.version, releaseDate: newest.releaseDate ?? releaseDate };
  }
  return newest;
}
