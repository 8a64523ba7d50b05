/** The sources that are searched for an identifier: those that fill a list of vendors' records. */
import { catalogueLists } from '@patch/catalogue/lists.ts';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';

const publishedLists = new Set<string>(
  catalogueLists.filter(({ source }) => source !== null).map(({ key }) => key),
);

/** @param searched Keys of the searched lists; absent: every vendor's. */
export const findSearchedSources = (
  sources: readonly SourceState[],
  searched: ReadonlySet<string> = publishedLists,
): readonly SourceState[] =>
  sources.filter(({ lists }) => lists.some(({ key }) => searched.has(key)));
