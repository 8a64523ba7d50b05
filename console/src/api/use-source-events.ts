/** Updates the cached states of the sources from server events. Mounted once, in the main layout. */

import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryKeys } from './query-keys.ts';
import { listenToSources } from './source-events.ts';

export function useSourceEvents(): void {
  const queries = useQueryClient();
  useEffect(
    () =>
      listenToSources({
        take(change) {
          // A pending reply is older than this event and would overwrite it.
          void queries.cancelQueries({ queryKey: queryKeys.sources.all() });
          queries.setQueryData<SourceState[]>(queryKeys.sources.all(), change);
        },
        // Polling resumes with the reply.
        lost: () => void queries.invalidateQueries({ queryKey: queryKeys.sources.all() }),
      }),
    [queries],
  );
}
