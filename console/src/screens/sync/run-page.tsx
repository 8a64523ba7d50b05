/** The pages of what a run left behind: its rows, their total, the way to the next ones. */

import { type QueryKey, useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../../widgets/button.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import { Skeleton } from '../../widgets/skeleton.tsx';
import styles from './run-page.module.css';

const atOnce = 50;

interface Page<Row> {
  readonly objList: readonly Row[];
  readonly totalCount: number;
}

export interface RunPageProps<Row> {
  readonly queryKey: QueryKey;
  readonly ask: (
    query: { readonly offset: string; readonly size: string },
    signal: AbortSignal,
  ) => Promise<Page<Row>>;
  readonly none: string;
  readonly rowOf: (row: Row) => ReactNode;
  /** Of the run: nothing is asked when it is known to be none. */
  readonly expected: number;
}

export function RunPage<Row>({ queryKey, ask, none, rowOf, expected }: RunPageProps<Row>) {
  const pages = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      ask({ offset: String(pageParam), size: String(atOnce) }, signal),
    initialPageParam: 0,
    getNextPageParam: ({ totalCount }, _all, offset) =>
      offset + atOnce < totalCount ? offset + atOnce : undefined,
    enabled: expected > 0,
  });
  if (expected === 0) return <p className={styles['quiet']}>{none}</p>;
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
  if (total === 0) return <p className={styles['quiet']}>{none}</p>;
  return (
    <>
      <ul className={styles['rows']}>{rows.map(rowOf)}</ul>
      {pages.hasNextPage ? (
        <p className={styles['more']}>
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
