/** Searches for a query as a person writes it: by what it means, or by its words where only these find records. */
import { withoutRestricted } from '@patch/catalogue/definition/restricted-fields.ts';
import { criteriaConditions } from '@patch/contract/filter/criteria-conditions.ts';
import { keywordTerms, writeTerm } from '@patch/contract/filter/keyword-terms.ts';
import type { CountedQuery } from '@patch/contract/records/query-reading-endpoint.ts';
import type { ReadQuery } from '@patch/contract/records/search-endpoint.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { foldKeyword, type Search, sortSearch } from '../criteria/search-request.ts';
import { listCveReadings } from '../words/cve-readings.ts';
import { cveField } from '../words/query-meanings.ts';
import { isAbsent, joinParts } from '../words/query-parts.ts';
import { readQuery } from '../words/query-reading.ts';
import { listReadingsAsWords, listShorterReadings } from '../words/shorter-readings.ts';
import type { SearchCaller } from './search-limit.ts';
import type { SearchService } from './search-service.ts';
import type { FoundPage, SearchStore } from './search-store.ts';

/** Returns what the query means beside the conditions of the search. */
export async function interpretQuery(
  store: SearchStore,
  search: Search,
  query: string,
  mayLoad = true,
): Promise<ReadQuery> {
  // A count tells of values too.
  const { list, conditions, sight } = search;
  const readable = sight.restricted ? list : withoutRestricted(list);
  const compared = new Set(conditions.map(({ name }) => name));
  return readQuery(readable, query, await store.readQueryWords(search, mayLoad), compared);
}

/**
 * Returns the meaning of the query and the records that it finds. Where its meaning finds none and its words do, it means its words;
 * where these do not either, the parts that no record has together are left out.
 * @param whileTyped - counts from memory alone, and no words of less than three letters, because a person types faster
 * @throws AppError as `SearchService.find` does, except for searches that are too expensive to count.
 */
export async function countQuery(
  searchService: SearchService,
  caller: SearchCaller,
  search: Search,
  query: string,
  whileTyped = false,
): Promise<CountedQuery> {
  const count = async (meaning: Pick<ReadQuery, 'criteria' | 'keyword'>) => {
    const counted = addReading({ ...search, offset: 0, size: 1 }, meaning);
    if (whileTyped)
      return hasShortWord(counted) ? null : searchService.store.countInMemory(counted);
    const byId = {
      ...counted,
      sort: [{ field: 'id', descending: true }],
      usesDefaultSort: false,
      ranksMatches: false,
    };
    const found = await findUnlessExpensive(searchService, caller, byId);
    return found?.total ?? null;
  };
  const reading = await interpretQuery(searchService.store, search, query, !whileTyped);
  // Nothing is offered for a word that means only itself.
  const [only, ...further] = reading.parts;
  const isPlain = further.length === 0 && !only?.sort && !only?.criterion && !only?.corrected;
  if (whileTyped && isPlain) return { ...reading, totalCount: null };
  const totalCount = await count(reading);
  const findCves = (words: string) => searchService.store.findCves(words, !whileTyped);
  if (totalCount !== 0 && isWhole(reading)) return { ...reading, totalCount };
  const byCve = await listCveReadings(search.list, reading, findCves);
  const others =
    totalCount === 0
      ? await listOtherReadings(searchService.store, search, query, { reading, byCve })
      : byCve;
  for (const other of others) {
    const found = await count(other);
    if (found !== null && found > 0) return { ...other, totalCount: found };
  }
  return { ...reading, totalCount };
}

/** Returns true when a record has each of the words. */
const isWhole = ({ parts }: ReadQuery): boolean => !parts.some(isAbsent);

/** Returns what a query that finds nothing may mean instead: its words, those of CVEs, and fewer of its parts. */
async function listOtherReadings(
  store: SearchStore,
  search: Search,
  query: string,
  { reading, byCve }: { readonly reading: ReadQuery; readonly byCve: readonly ReadQuery[] },
): Promise<readonly ReadQuery[]> {
  const { names, texts } = await store.readQueryWords(search, false);
  const terms = keywordTerms(query).map(writeTerm);
  const asWritten = joinParts(terms.map((text) => ({ text, keyword: text })));
  // The words would also find CVEs that begin as the typed one does.
  const hasCve = reading.criteria.some(({ paramName }) => paramName === cveField);
  return [
    // Words that no record has may be those of CVEs: any other reading does without them.
    ...(isWhole(reading) ? [] : byCve),
    ...listReadingsAsWords(reading, names),
    ...(hasCve ? [] : [asWritten]),
    ...(isWhole(reading) ? byCve : []),
    ...listShorterReadings(search.list, reading, texts).flat(),
  ].slice(0, maxReadings);
}

/** Other readings of a query that are counted at most. */
const maxReadings = 24;

/** Almost every record has a word with these letters, and finding all of them takes as long as reading the list. */
const hasShortWord = ({ keyword }: Search): boolean =>
  keywordTerms(keyword).some(({ text }) => text.length < 3);

/** Adds the meaning of a query to a search. */
export const addReading = (
  search: Search,
  { criteria, keyword, sort }: Pick<ReadQuery, 'criteria' | 'keyword' | 'sort'>,
): Search => ({
  ...(sort === undefined || !search.usesDefaultSort ? search : sortSearch(search, sort)),
  conditions: [
    ...search.conditions,
    ...criteriaConditions(search.list, criteria, { now: Date.now(), timeZone: 'UTC' }),
  ],
  keyword: foldKeyword(keyword),
  ranksCurrent: true,
});

/** Returns null for a search that PostgreSQL ended. */
export async function findUnlessExpensive(
  searchService: SearchService,
  caller: SearchCaller,
  search: Search,
): Promise<FoundPage | null> {
  try {
    return await searchService.find(caller, search);
  } catch (error) {
    if (error instanceof AppError && error.code === 'search_too_expensive') return null;
    throw error;
  }
}
