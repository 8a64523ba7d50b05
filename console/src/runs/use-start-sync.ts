/** Starts syncs. The screen shows the new state at once, without waiting for the next poll. */
import type { SourceKey } from '@patch/catalogue/sources.ts';
import {
  type Run,
  type SourceState,
  startSyncEndpoint,
} from '@patch/contract/sources/sync-endpoints.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import { toast } from '../api/toast.ts';

/** The specification has a path prefix per operating system; calls for a source use the prefix of its system. */
export const toPrefixParams = (source: SourceKey) => ({
  prefix: source === 'wsus' || source === 'thirdParty' ? ('windows' as const) : ('linux' as const),
});

/** Options of mutations that return a run. */
export function useRunMutationOptions() {
  const queryClient = useQueryClient();
  return {
    meta: { quiet: true },
    onSuccess: (run: Run) => {
      queryClient.setQueryData<SourceState[]>(queryKeys.sources.all(), (states) =>
        states?.map((state) => (state.source === run.source ? { ...state, run } : state)),
      );
    },
    onError: (failure: Error) => toast.failure(failure, 'Error'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.sources.all() }),
  };
}

export function useStartSync() {
  const start = useMutation({
    mutationFn: (source: SourceKey) =>
      callApi(startSyncEndpoint, { params: toPrefixParams(source), query: { service: source } }),
    ...useRunMutationOptions(),
  });
  const [startingAll, setStartingAll] = useState(false);
  async function startAll(sources: readonly SourceKey[]): Promise<void> {
    if (startingAll) return;
    setStartingAll(true);
    await Promise.allSettled(sources.map((source) => start.mutateAsync(source)));
    setStartingAll(false);
  }
  return { start, startAll, startingAll };
}
