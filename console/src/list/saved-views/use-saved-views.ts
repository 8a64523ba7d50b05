/** Fetches and changes the saved views of a list. */

import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { requestCriteria } from '@patch/contract/base/requested-criteria.ts';
import { writeCriteria } from '@patch/contract/filter/criteria-text.ts';
import {
  changeViewEndpoint,
  createViewEndpoint,
  deleteViewEndpoint,
  type SavedView,
  savedViewsEndpoint,
  type ViewSearch,
} from '@patch/contract/records/saved-view-endpoints.ts';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { toast } from '../../api/toast.ts';
import { useConfirmedAction } from '../../widgets/use-confirmed-action.ts';
import type { ListState } from '../address/list-url.ts';

const staleTimeMs = 5 * 60_000;

export type SavedViews = ReturnType<typeof useSavedViews>;

export const savedViewsQuery = (list: ListDefinition) =>
  queryOptions({
    queryKey: queryKeys.views.all(list.key),
    queryFn: async ({ signal }) =>
      (await callApi(savedViewsEndpoint, { query: { list: list.key }, signal })).objList,
    staleTime: staleTimeMs,
  });

export function useSavedViews(list: ListDefinition) {
  const { queryKey } = savedViewsQuery(list);
  const queries = useQueryClient();
  const views = useQuery(savedViewsQuery(list));
  const invalidation = { onSettled: () => queries.invalidateQueries({ queryKey }) };
  const create = useMutation({
    mutationFn: (view: Omit<z.input<typeof createViewEndpoint.body>, 'list'>) =>
      callApi(createViewEndpoint, {
        body: { ...view, search: requestSearch(view.search), list: list.key },
      }),
    onSuccess: ({ name }) => toast.success(`The view '${name}' has been saved.`),
    ...invalidation,
  });
  const change = useMutation({
    mutationFn: ({
      id,
      search,
      ...body
    }: z.input<typeof changeViewEndpoint.body> & { readonly id: number }) =>
      callApi(changeViewEndpoint, {
        params: { id: String(id) },
        body: { ...body, search: search && requestSearch(search) },
      }),
    onSuccess: ({ name }) => toast.success(`The view '${name}' has been changed.`),
    ...invalidation,
  });
  const remove = useConfirmedAction({
    question: ({ name, shared }: SavedView) => ({
      title: `Remove the view '${name}'?`,
      body: shared ? 'The view is shared: everyone loses it.' : 'Only you can see this view.',
      danger: true,
      yes: 'Remove',
    }),
    run: ({ id }) => callApi(deleteViewEndpoint, { params: { id: String(id) } }),
    success: (_view, { message }) => message,
    invalidates: [queryKey],
  });
  return { views: views.data, isPending: views.isPending, create, change, remove };
}

const requestSearch = (search: ViewSearch): ViewSearch => ({
  ...search,
  criteria: requestCriteria(search.criteria),
});

/** Returns the part of the list's state that a view stores. */
export function toViewSearch(
  list: ListDefinition,
  { criteria, keyword, sort }: ListState,
  columns: readonly string[] | null,
): ViewSearch {
  return {
    criteria: writeCriteria(list, criteria),
    keyword,
    sort: sort === list.defaultSort ? null : sort,
    columns: columns === null ? null : [...columns],
  };
}

/** Compares columns only when both have some. */
export function isSameSearch(a: ViewSearch, b: ViewSearch): boolean {
  const sameColumns =
    a.columns === null || b.columns === null || a.columns.join() === b.columns.join();
  return a.criteria === b.criteria && a.keyword === b.keyword && a.sort === b.sort && sameColumns;
}
