/** Starting and cancelling syncs; the screen sees the new state at once, not at the next poll. */
import type { SourceKey } from '@patch/catalogue/definition/sources.ts';
import { cancelSyncCall, type Run, type SourceState, startSyncCall } from '@patch/contract/sync-calls.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { makeCall } from '../../api/make-call.ts';
import { sourcesKey } from '../../api/use-sources.ts';
import { toast } from '../../widgets/toast.tsx';

/** The wire has two doors to the same rooms; each source's calls go through its own system's. */
const doorOf = (source: SourceKey) => ({
  prefix: source === 'wsus' || source === 'thirdParty' ? ('windows' as const) : ('linux' as const),
});

export function useSyncActions() {
  const queryClient = useQueryClient();
  const settled = () => queryClient.invalidateQueries({ queryKey: sourcesKey });
  const show = (run: Run) =>
    queryClient.setQueryData<SourceState[]>(sourcesKey, (states) =>
      states?.map((state) => (state.source === run.source ? { ...state, run } : state)),
    );
  const told = { meta: { quiet: true }, onSuccess: show, onError: (failure: Error) => toast.failure(failure, 'Error'), onSettled: settled };
  const start = useMutation({
    mutationFn: (source: SourceKey) => makeCall(startSyncCall, { params: doorOf(source), query: { service: source } }),
    ...told,
  });
  const cancel = useMutation({
    mutationFn: (source: SourceKey) => makeCall(cancelSyncCall, { params: doorOf(source), query: { service: source } }),
    ...told,
  });
  return { start, cancel };
}
