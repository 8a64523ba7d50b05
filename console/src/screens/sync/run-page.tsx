/** A paged list of a run's records, with the total and a button to load more. */

import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../../widgets/button.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import { Skeleton } from '../../widgets/skeleton.tsx';
import styles from './run-page.module.css';

const pageSize = 50;

interface Page<Row> {
  readonly objList: readonly Row[];
  readonly totalCount: number;
}

export interface RunPageProps<Row> {
  readonly queryKey: QueryKey;
  readonly load: (
    query: { readonly offset: string; readonly size: string },
    signal: AbortSignal,
  ) => Promise<Page<Row>>;
  readonly emptyText: string;
  readonly renderRow: (row: Row) => ReactNode;
  /** The run's own count. When it is 0, no request is sent. */
  readonly expected: number;
}

export function RunPage<Row>({
  queryKey,
  load,
  emptyText,
  renderRow,
  expected,
}: RunPageProps<Row>) {
  const pages = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      load({ offset: String(pageParam), size: String(pageSize) }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ totalCount }, _all, offset) =>
      offset + pageSize < totalCount ? offset + pageSize : undefined,
    enabled: expected > 0,
  });
  if (expected === 0) return <p className="text-quiet">{emptyText}</p>;
  if (pages.isPending) return <Skeleton rows={3} />;
  if (pages.data === undefined)
    return (
      <p role="alert">
        {pages.error.message}{' '}
        <Button small onClick={() => void pages.refetch()}>
          Reload
        </Button>
      </p>
    );
  const rows = pages.data.pages.flatMap(({ objList }) => objList);
  const total = pages.data.pages.at(-1)?.totalCount ?? 0;
  if (total === 0) return <p className="text-quiet">{emptyText}</p>;
  return (
    <>
      <ul className={`${styles['rows']} plain-list divide-y`}>{rows.map(renderRow)}</ul>
      {pages.hasNextPage ? (
        <p className="flex items-center gap-3 mt-2 text-quiet text-small">
          <Button
            small
            loading={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            Load more
          </Button>
          <span className="figures">
            {formatNumber(rows.length)} of {formatNumber(total)}
          </span>
        </p>
      ) : null}
    </>
  );
}
