/** Opens updates in place: fetches their other records, which stand below the row of the update. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireRow } from '@patch/contract/base/row-schema.ts';
import { type SearchReply, searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import { type UseQueryResult, useQueries } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import type { ListRows, RowGroups } from './use-list-page.ts';

export interface OpenedGroups {
  /** The records of each update, by the id of its row. */
  readonly groups: RowGroups;
  /** Ids of the rows whose update is open. */
  readonly open: ReadonlySet<number>;
  /** Ids of the rows below the row of an open update. */
  readonly inner: ReadonlySet<number>;
  readonly toggle: (id: number) => void;
}

interface RowsWithGroups {
  /** With the rows of the open updates. */
  readonly shown: ListRows;
  readonly opened: OpenedGroups;
}

const noRows: readonly WireRow[] = [];
const noIds: ReadonlySet<number> = new Set();

const readRows = (replies: UseQueryResult<SearchReply>[]) =>
  replies.map(({ data }) => data?.objList ?? noRows);

export function useOpenedGroups(
  list: ListDefinition,
  fetched: ListRows,
  sort: string,
): RowsWithGroups {
  const { rows, groups } = fetched;
  const [open, setOpen] = useState(noIds);
  const ids = (rows ?? noRows).flatMap(({ id }) =>
    open.has(id) && (groups.get(id)?.ids.length ?? 0) > 1 ? [id] : [],
  );
  const found = useQueries({
    queries: ids.map((id) => {
      const others = groups.get(id)?.ids.slice(1) ?? [];
      return {
        queryKey: queryKeys.lists.group(list.key, others, sort),
        queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
          callApi(searchEndpoint(list), {
            query: { size: others.length, sort },
            body: { filter: `id in (${others.join(',')})` },
            signal,
          }),
        meta: { failed: 'The products could not be loaded.' },
      };
    }),
    combine: readRows,
  });
  const toggle = useCallback(
    (id: number) =>
      setOpen((before) =>
        before.has(id)
          ? new Set([...before].filter((one) => one !== id))
          : new Set([...before, id]),
      ),
    [],
  );
  const key = ids.join();
  const withInner = useMemo(() => {
    const below = new Map(key.split(',').map((id, index) => [Number(id), found[index] ?? noRows]));
    const inner = new Set(found.flatMap((group) => group.map(({ id }) => id)));
    return {
      rows:
        inner.size === 0 ? rows : rows?.flatMap((row) => [row, ...(below.get(row.id) ?? noRows)]),
      opened: { groups, open, inner, toggle },
    };
  }, [rows, groups, open, found, toggle, key]);
  return { shown: { ...fetched, rows: withInner.rows }, opened: withInner.opened };
}
