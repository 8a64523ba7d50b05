/** How answers are kept and failures told, the same for every screen. */
import { MutationCache, QueryClient } from '@tanstack/react-query';
import { toast } from '../widgets/toast.tsx';
import { CallFailed } from './call-failed.ts';

/** A mutation whose screen tells the failure itself says so: meta: { quiet: true }. */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    mutationCache: new MutationCache({
      onError(failure, _variables, _result, mutation) {
        if (mutation.meta?.['quiet'] !== true) toast.failure(failure);
      },
    }),
    defaultOptions: {
      // The browser's idea of being offline says nothing about a server on the own network.
      queries: { networkMode: 'always', retry: (failures, failure) => failures < 1 && mayHeal(failure), staleTime: 5_000 },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}

function mayHeal(failure: Error): boolean {
  return failure instanceof CallFailed && (failure.code === 'unreachable' || failure.status === 503);
}
