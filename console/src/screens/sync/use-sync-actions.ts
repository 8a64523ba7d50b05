/** Starting and cancelling syncs, and deciding what is held; the screen sees the new state at once, not at the next poll. */

import type { SourceKey } from '@patch/catalogue/sources.ts';
import {
  decideHeldContentEndpoint,
  decideHeldEndpoint,
} from '@patch/contract/source-settings-endpoints.ts';
import {
  cancelSyncEndpoint,
  type HeldContent,
  type HeldWithdrawal,
  type Run,
  type SourceState,
  startSyncEndpoint,
} from '@patch/contract/sync-endpoints.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { toast } from '../../api/toast.ts';
import type { ContentDecision } from './held-content.tsx';
import type { HeldDecision } from './held-withdrawals.tsx';

/** The wire has two doors to the same rooms; each source's calls go through its own system's. */
const doorOf = (source: SourceKey) => ({
  prefix: source === 'wsus' || source === 'thirdParty' ? ('windows' as const) : ('linux' as const),
});

export interface Decision {
  readonly source: SourceKey;
  readonly held: HeldWithdrawal;
  readonly decision: HeldDecision;
}

export interface DecisionOnContent {
  readonly source: SourceKey;
  readonly held: HeldContent;
  readonly decision: ContentDecision;
}

export type SyncActions = ReturnType<typeof useSyncActions>;

export function useSyncActions() {
  const queryClient = useQueryClient();
  const settled = () => queryClient.invalidateQueries({ queryKey: queryKeys.sources.all() });
  const show = (run: Run) =>
    queryClient.setQueryData<SourceState[]>(queryKeys.sources.all(), (states) =>
      states?.map((state) => (state.source === run.source ? { ...state, run } : state)),
    );
  const told = {
    meta: { quiet: true },
    onSuccess: show,
    onError: (failure: Error) => toast.failure(failure, 'Error'),
    onSettled: settled,
  };
  const start = useMutation({
    mutationFn: (source: SourceKey) =>
      callApi(startSyncEndpoint, { params: doorOf(source), query: { service: source } }),
    ...told,
  });
  const cancel = useMutation({
    mutationFn: (source: SourceKey) =>
      callApi(cancelSyncEndpoint, { params: doorOf(source), query: { service: source } }),
    ...told,
    onSuccess(run) {
      show(run);
      toast.success();
    },
  });
  const decided = {
    ...told,
    onSuccess(run: Run) {
      show(run);
      toast.notice('Decision saved.', 'A sync has started to apply it.');
    },
  };
  const decide = useMutation({
    mutationFn: ({ source, held: { part, list }, decision }: Decision) =>
      callApi(decideHeldEndpoint, { params: { source }, body: { part, list, decision } }),
    ...decided,
  });
  const decideContent = useMutation({
    mutationFn: ({ source, held: { part, list }, decision }: DecisionOnContent) =>
      callApi(decideHeldContentEndpoint, { params: { source }, body: { part, list, decision } }),
    ...decided,
  });
  const [startingAll, setStartingAll] = useState(false);
  async function startAll(sources: readonly SourceKey[]): Promise<void> {
    if (startingAll) return;
    setStartingAll(true);
    await Promise.allSettled(sources.map((source) => start.mutateAsync(source)));
    setStartingAll(false);
  }
  return { start, startAll, startingAll, cancel, decide, decideContent };
}
