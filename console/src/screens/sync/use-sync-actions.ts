/** Starts and cancels syncs, and decides about quarantined changes. */

import type { SourceKey } from '@patch/catalogue/sources.ts';
import {
  acceptQuarantineEndpoint,
  rejectQuarantineEndpoint,
} from '@patch/contract/sources/quarantine-endpoints.ts';
import type { QuarantineEntry } from '@patch/contract/sources/quarantine-entry.ts';
import { cancelSyncEndpoint } from '@patch/contract/sources/sync-endpoints.ts';
import { useMutation } from '@tanstack/react-query';
import { callApi } from '../../api/call-api.ts';
import { toast } from '../../api/toast.ts';
import { toPrefixParams, useRunMutationOptions, useStartSync } from '../../runs/use-start-sync.ts';
import type { QuarantineAnswer } from './quarantine-panel.tsx';

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
  const mutationOptions = useRunMutationOptions();
  const cancel = useMutation({
    mutationFn: (source: SourceKey) =>
      callApi(cancelSyncEndpoint, { params: toPrefixParams(source), query: { service: source } }),
    ...mutationOptions,
    onSuccess(run) {
      mutationOptions.onSuccess(run);
      toast.success();
    },
  });
  const decide = useMutation({
    mutationFn: ({ source, entry: { part, list, reason }, answer }: Decision) =>
      callApi(answerEndpoints[answer], { params: { source }, body: { part, list, reason } }),
    ...mutationOptions,
    onSuccess(run) {
      mutationOptions.onSuccess(run);
      toast.notice('Decision saved.', 'A sync has started to apply it.');
    },
  });
  return { ...useStartSync(), cancel, decide };
}
