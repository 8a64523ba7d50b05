/** Updates the cached states of the sources from server events. Mounted once, in the main layout. */

import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { queryKeys } from './query-keys.ts';
import { listenToSources } from './source-events.ts';

/** The stream opens after the first rows of a page, which share the connection. */
const openAfterMs = 1000;

export function useSourceEvents(): void {
  const queries = useQueryClient();
  useEffect(() => {
    let stop: (() => void) | undefined;
    const opening = setTimeout(() => {
      stop = listenToSources({
        take(change) {
          // A pending reply is older than this event and would overwrite it.
          void queries.cancelQueries({ queryKey: queryKeys.sources.all() });
          queries.setQueryData<SourceState[]>(queryKeys.sources.all(), change);
        },
        // Polling resumes with the reply.
        lost: () => void queries.invalidateQueries({ queryKey: queryKeys.sources.all() }),
      });
    }, openAfterMs);
    return () => {
      clearTimeout(opening);
      stop?.();
    };
  }, [queries]);
}
