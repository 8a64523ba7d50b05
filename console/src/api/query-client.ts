/** Creates the query client of all screens: caching, retries, toasts of failures. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiCallCancelled, ApiCallError, isRefusal } from './api-call-error.ts';
import { toast } from './toast.ts';

/**
 * Meta options: a mutation with `quiet: true` shows no toast, because its screen reports the failure; a query with `failed` shows
 * that text; with `keepsData: true` it shows a toast only while it has no data, because its screen reports failed refreshes.
 */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError(failure, { meta, state }) {
        const isShownBesideData =
          meta?.['keepsData'] === true && state.data !== undefined && !isRefusal(failure);
        const failedText = meta?.['failed'];
        const isSilent =
          isShownBesideData ||
          failure instanceof ApiCallCancelled ||
          (failure instanceof ApiCallError && failure.status === 401);
        if (typeof failedText === 'string' && !isSilent) toast.error('Error', failedText);
      },
    }),
    mutationCache: new MutationCache({
      onError(failure, _variables, _result, mutation) {
        if (mutation.meta?.['quiet'] !== true) toast.failure(failure);
      },
    }),
    defaultOptions: {
      // A browser that is offline may still reach a server on the local network.
      queries: {
        networkMode: 'always',
        retry: (failures, failure) => failures < 1 && isTransient(failure),
        staleTime: 5_000,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}

function isTransient(failure: Error): boolean {
  return (
    failure instanceof ApiCallError && (failure.code === 'unreachable' || failure.status === 503)
  );
}
