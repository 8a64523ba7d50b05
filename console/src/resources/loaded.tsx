/** Shows the data of a query: a skeleton before it is loaded, and the reason when it cannot be. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LoadFailure } from '../widgets/load-failure.tsx';
import { Skeleton } from '../widgets/skeleton.tsx';

interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>;
  /** Noun without article, such as 'sessions'. */
  readonly what: string;
  /** Lines of the skeleton. */
  readonly rows: number;
  readonly children: (data: Data) => ReactNode;
}

export function Loaded<Data>({ query, what, rows, children }: LoadedProps<Data>) {
  if (query.isPending) return <Skeleton rows={rows} />;
  if (query.isLoadingError)
    return <LoadFailure what={what} failure={query.error} onReload={() => void query.refetch()} />;
  return children(query.data);
}
