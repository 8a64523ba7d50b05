/** The page of rows that the list's state asks for. The rows before stay while new ones are on their way; an earlier request is cancelled. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { filterText } from '@patch/contract/filter/filter-text.ts';
import { searchCall } from '@patch/contract/search-call.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { makeCall } from '../api/make-call.ts';
import { useReaderZone } from '../values/reader-zone.ts';
import { writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import type { ListState } from './list-url.ts';

/** Every query of a list's rows begins so: what a sync invalidates. */
export const listQueryKey = (list: ListDefinition) => ['list', list.key] as const;

export function useListPage(list: ListDefinition, state: ListState) {
  const { criteria, keyword, sort, page, size } = state;
  const timeZone = useReaderZone();
  return useQuery({
    queryKey: [...listQueryKey(list), writeCriteria(list, criteria), keyword, sort, page, size, timeZone],
    queryFn: ({ signal }) => {
      // Relative times become instants here, so that a refresh after midnight asks for the new today.
      const filter = filterText(list, criteria, { now: Date.now(), timeZone });
      return makeCall(searchCall(list), {
        query: { offset: (page - 1) * size, size, sort },
        body: { ...(filter !== '' && { filter }), ...(keyword !== '' && { keyword }) },
        signal,
      });
    },
    placeholderData: keepPreviousData,
  });
}
