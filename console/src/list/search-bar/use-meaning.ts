/** Finds out what typed words mean, and remembers the criteria that they meant: the next words replace them. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { keywordLength, maxKeywordLength } from '@patch/contract/filter/keyword-terms.ts';
import { readSearchWords } from '@patch/contract/filter/search-words.ts';
import type { CountedQuery } from '@patch/contract/records/query-reading-endpoint.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useReaderZone } from '../../values/reader-zone.ts';
import {
  applyTypedSearch,
  joinKeywords,
  type KeywordChange,
  type RequestedSearch,
  type TypedSearch,
  withCriterion,
} from '../criteria/typed-search.ts';
import { isReadable, listLeftOut, readQuery, useTypedReading } from './typed-reading.ts';

interface Meaning {
  /** What the typed words mean; undefined until they are read, and for words that mean only themselves. */
  readonly reading: CountedQuery | undefined;
  /** Returns the search that typed words ask for as they are. */
  readonly applyAsWritten: (words: string, change: KeywordChange) => TypedSearch;
  /** Returns the search that they mean at once where the server need not be asked, and null where other words were asked for since. */
  readonly applyMeaning: (
    words: string,
    change: KeywordChange,
  ) => TypedSearch | Promise<TypedSearch | null>;
}

export function useMeaning(
  list: ListDefinition,
  currentSearch: RequestedSearch,
  typed: string,
  isTyping: boolean,
): Meaning {
  const timeZone = useReaderZone();
  const client = useQueryClient();
  const [meant, setMeant] = useState<readonly FieldCriterion[]>([]);
  const [meantSort, setMeantSort] = useState<string>();
  const asked = useRef(0);
  const kept = withoutCriteria(currentSearch, meant);
  const reading = useTypedReading(
    { list, words: getFreeWords(list, typed, timeZone), criteria: kept.criteria, timeZone },
    isTyping,
  );

  function applyAsWritten(words: string, change: KeywordChange): TypedSearch {
    asked.current += 1;
    const before = change === 'replace' ? kept : currentSearch;
    return applyTypedSearch(list, before, words, timeZone, change);
  }
  async function read(
    search: RequestedSearch,
    words: string,
  ): Promise<Omit<CountedQuery, 'totalCount'> | null> {
    const turn = asked.current;
    const found = await readQuery(client, { list, words, criteria: search.criteria, timeZone });
    if (turn !== asked.current) return null;
    return found ?? { parts: [], criteria: [], keyword: words };
  }
  return {
    reading,
    applyAsWritten,
    applyMeaning: (words, change) => {
      const search = applyAsWritten(words, change);
      const free = getFreeWords(list, words, timeZone);
      if (search.kind !== 'search' || !isReadable(free)) return search;
      return read(search, free).then((found) => {
        if (found === null) return null;
        const isAdded = change === 'add';
        setMeant(isAdded ? [...meant, ...found.criteria] : found.criteria);
        const keyword = isAdded
          ? joinKeywords(currentSearch.keyword, found.keyword)
          : found.keyword;
        if (keywordLength(keyword) > maxKeywordLength) return { kind: 'tooLong' };
        const criteria = found.criteria.reduce(withCriterion, search.criteria);
        const sort = isAdded ? (found.sort ?? meantSort) : found.sort;
        setMeantSort(sort);
        return {
          ...search,
          criteria,
          keyword,
          leftOut: listLeftOut(found.parts),
          ...getSortChange(sort, meantSort, currentSearch.sort),
        };
      });
    },
  };
}

/** Returns the order that was meant, and the usual one where the words before meant an order that still applies. */
function getSortChange(
  meant: string | undefined,
  before: string | undefined,
  current: RequestedSearch['sort'],
): Pick<RequestedSearch, 'sort'> {
  if (meant !== undefined) return { sort: meant };
  return before !== undefined && before === current ? { sort: null } : {};
}

/** Returns the typed words that have no field. */
function getFreeWords(list: ListDefinition, typed: string, timeZone: string): string {
  const words = readSearchWords(list, typed, timeZone);
  return words.kind === 'search' ? words.keyword : '';
}

function withoutCriteria(
  { criteria, keyword }: RequestedSearch,
  removed: readonly FieldCriterion[],
): RequestedSearch {
  const written = new Set(removed.map((criterion) => JSON.stringify(criterion)));
  return {
    keyword,
    criteria: criteria.filter((criterion) => !written.has(JSON.stringify(criterion))),
  };
}
