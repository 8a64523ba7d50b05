/** How answers are kept and failures told, the same for every screen. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiCallCancelled, ApiCallError, isRefusal } from './api-call-error.ts';
import { toast } from './toast.ts';

/** A mutation whose screen tells the failure itself says so: meta: { quiet: true }. A query that reports its own failure says how: meta: { failed: 'words' }; one whose screen keeps what was loaded before and says that it could not be refreshed: keepsData: true. */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError(failure, { meta, state }) {
        const isShownBesideData =
          meta?.['keepsData'] === true && state.data !== undefined && !isRefusal(failure);
        const words = meta?.['failed'];
        const isSilent =
          isShownBesideData ||
          failure instanceof ApiCallCancelled ||
          (failure instanceof ApiCallError && failure.status === 401);
        if (typeof words === 'string' && !isSilent) toast.error('Error', words);
      },
    }),
    mutationCache: new MutationCache({
      onError(failure, _variables, _result, mutation) {
        if (mutation.meta?.['quiet'] !== true) toast.failure(failure);
      },
    }),
    defaultOptions: {
      // The browser's idea of being offline says nothing about a server on the own network.
      queries: {
        networkMode: 'always',
        retry: (failures, failure) => failures < 1 && mayHeal(failure),
        staleTime: 5_000,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}

function mayHeal(failure: Error): boolean {
  return (
    failure instanceof ApiCallError && (failure.code === 'unreachable' || failure.status === 503)
  );
}
