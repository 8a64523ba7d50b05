/** Keeps what every screen knows of the sources as the server tells it. Mounted once, in the main layout. */

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
          // An answer that is still on its way was read before this, and nobody would ask again after it.
          void queries.cancelQueries({ queryKey: queryKeys.sources.all() });
          queries.setQueryData<SourceState[]>(queryKeys.sources.all(), change);
        },
        // Asking had ceased; it begins again with this answer.
        lost: () => void queries.invalidateQueries({ queryKey: queryKeys.sources.all() }),
      }),
    [queries],
  );
}
