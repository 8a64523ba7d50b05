/** Asks the server what typed words mean: their products, releases, severities and times as criteria. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { getField, type ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { getSortLabel } from '@patch/catalogue/definition/sort-fields.ts';
import { writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { filterText } from '@patch/contract/filter/filter-text.ts';
import {
  type CountedQuery,
  queryReadingEndpoint,
} from '@patch/contract/records/query-reading-endpoint.ts';
import type { QueryPart } from '@patch/contract/records/search-endpoint.ts';
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { criterionText } from '../../values/criterion-text.ts';
import { useDebouncedValue } from '../../widgets/use-debounced-value.ts';
import { looksLikeIdentifier, type RequestedSearch } from '../criteria/typed-search.ts';

/** Milliseconds without a key before the typed words are read. */
const pauseMs = 150;
/** A reading stays true until the next sync, which may bring a name or a record. */
const staleMs = 60_000;

interface QueryToRead {
  readonly list: ListDefinition;
  /** Words without a field. */
  readonly words: string;
  /** Criteria that stay beside them. */
  readonly criteria: readonly FieldCriterion[];
  readonly timeZone: string;
}

/** @param typing - while the words may still change, only what is counted at once is counted */
function readingOptions({ list, words, criteria, timeZone }: QueryToRead, typing = false) {
  return queryOptions({
    queryKey: queryKeys.lists.reading(
      list.key,
      { criteria: writeCriteria(list, criteria), keyword: words, timeZone },
      typing,
    ),
    // Not cancelled when the words leave the input, because Enter waits for the reading.
    queryFn: () => {
      const filter = filterText(list, criteria, { now: Date.now(), timeZone });
      const body = { q: words, ...(filter !== '' && { filter }), ...(typing && { typing }) };
      return callApi(queryReadingEndpoint(list), { body });
    },
    staleTime: staleMs,
    // Without a reading, the words are searched as they are.
    retry: false,
    meta: { quiet: true },
  });
}

/** Returns true for words that may be more than the name of a record or a phrase. */
export const isReadable = (words: string): boolean =>
  words.trim().length > 1 && !words.includes('"') && !looksLikeIdentifier(words);

/** Returns null when the server cannot tell. */
export async function readQuery(
  client: QueryClient,
  query: QueryToRead,
): Promise<CountedQuery | null> {
  try {
    return await client.fetchQuery(readingOptions(query));
  } catch {
    return null;
  }
}

/** Reads the words while they are typed. Returns undefined until they are read, and for words that mean only themselves. */
export function useTypedReading(query: QueryToRead, enabled: boolean): CountedQuery | undefined {
  const words = useDebouncedValue(query.words, pauseMs);
  const isSettled = words === query.words && isReadable(words);
  const { data } = useQuery({ ...readingOptions(query, true), enabled: enabled && isSettled });
  return isSettled && data !== undefined && isTelling(data, words) ? data : undefined;
}

/** An offered search has at least one record. */
const isTelling = ({ criteria, keyword, sort, totalCount }: CountedQuery, words: string): boolean =>
  totalCount !== 0 &&
  (criteria.length > 0 || sort !== undefined || fold(keyword) !== fold(words.trim()));

/** Returns the typed words that the meaning does without, because no record has them with the rest. */
export const listLeftOut = (parts: readonly QueryPart[]): string =>
  parts
    .filter(({ text, leftOut }) => leftOut === true && text !== '')
    .map(({ text }) => text)
    .join(', ');

/** Returns 'openssl, Severity is Critical, Product or release is Debian 12, Newest first'. */
export const describeReading = (
  list: ListDefinition,
  { criteria, keyword, sort }: RequestedSearch,
  zone: string,
): string =>
  [
    ...(keyword === '' ? [] : [keyword]),
    ...criteria.map((criterion) => describeCriterion(list, criterion, zone)),
    ...(typeof sort === 'string' ? [getSortLabel(list, sort)] : []),
  ].join(', ');

export function describeCriterion(
  list: ListDefinition,
  criterion: FieldCriterion,
  zone: string,
): string {
  const words = criterionText(getField(list, criterion.paramName), criterion, zone);
  return `${words.label} ${words.operator} ${words.value}`.trim();
}
