/** Starts and cancels syncs, and decides about quarantined changes. The screen shows the new state at once, without waiting for the next poll. */

import type { SourceKey } from '@patch/catalogue/sources.ts';
import {
  acceptQuarantineEndpoint,
  rejectQuarantineEndpoint,
} from '@patch/contract/quarantine-endpoints.ts';
import type { QuarantineEntry } from '@patch/contract/quarantine-entry.ts';
import {
  cancelSyncEndpoint,
  type Run,
  type SourceState,
  startSyncEndpoint,
} from '@patch/contract/sync-endpoints.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from '../../api/call-api.ts';
import { queryKeys } from '../../api/query-keys.ts';
import { toast } from '../../api/toast.ts';
import type { QuarantineAnswer } from './quarantine-panel.tsx';

/** The specification has a path prefix per operating system; calls for a source use the prefix of its system. */
const toPrefixParams = (source: SourceKey) => ({
  prefix: source === 'wsus' || source === 'thirdParty' ? ('windows' as const) : ('linux' as const),
});

export interface Decision {
  readonly source: SourceKey;
  readonly entry: QuarantineEntry;
  readonly answer: QuarantineAnswer;
}

const answerEndpoints = {
  accept: acceptQuarantineEndpoint,
  reject: rejectQuarantineEndpoint,
} as const;

export type SyncActions = ReturnType<typeof useSyncActions>;

export function useSyncActions() {
  const queryClient = useQueryClient();
  const refreshSources = () => queryClient.invalidateQueries({ queryKey: queryKeys.sources.all() });
  const show = (run: Run) =>
    queryClient.setQueryData<SourceState[]>(queryKeys.sources.all(), (states) =>
      states?.map((state) => (state.source === run.source ? { ...state, run } : state)),
    );
  const mutationOptions = {
    meta: { quiet: true },
    onSuccess: show,
    onError: (failure: Error) => toast.failure(failure, 'Error'),
    onSettled: refreshSources,
  };
  const start = useMutation({
    mutationFn: (source: SourceKey) =>
      callApi(startSyncEndpoint, { params: toPrefixParams(source), query: { service: source } }),
    ...mutationOptions,
  });
  const cancel = useMutation({
    mutationFn: (source: SourceKey) =>
      callApi(cancelSyncEndpoint, { params: toPrefixParams(source), query: { service: source } }),
    ...mutationOptions,
    onSuccess(run) {
      show(run);
      toast.success();
    },
  });
  const decide = useMutation({
    mutationFn: ({ source, entry: { part, list, reason }, answer }: Decision) =>
      callApi(answerEndpoints[answer], { params: { source }, body: { part, list, reason } }),
    ...mutationOptions,
    onSuccess(run) {
      show(run);
      toast.notice('Decision saved.', 'A sync has started to apply it.');
    },
  });
  const [startingAll, setStartingAll] = useState(false);
  async function startAll(sources: readonly SourceKey[]): Promise<void> {
    if (startingAll) return;
    setStartingAll(true);
    await Promise.allSettled(sources.map((source) => start.mutateAsync(source)));
    setStartingAll(false);
  }
  return { start, startAll, startingAll, cancel, decide };
}
