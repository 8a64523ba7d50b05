/** Whether the service answers: noted with every call, asked for while it does not, and known to every screen. */
import { type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';

const probeIntervalMs = 3000;
const probeTimeoutMs = 10_000;
/** A gateway may answer for one call alone, again and again, while the service is there: what fails is not asked for in a circle. */
const refetchIntervalMs = 60_000;
/** It needs no session, so that asking does not keep one alive. */
const probeAddress = '/api/health/live';

let lost = false;
const watchers = new Set<() => void>();

export function setConnectionLost(next: boolean): void {
  if (lost === next) return;
  lost = next;
  for (const watcher of watchers) watcher();
}

function watchConnection(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export const useConnectionLost = (): boolean => useSyncExternalStore(watchConnection, () => lost);

/** A proxy answers so for a service that it does not reach. */
export const isGatewayStatus = (status: number): boolean => [502, 503, 504].includes(status);

/** Asks for the service while it does not answer; when it does, what had failed is fetched again. Mounted once, in the header. */
export function useReconnect(): void {
  const queries = useQueryClient();
  const isLost = useConnectionLost();
  const wasLost = useRef(false);
  const refetchedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const isBack = wasLost.current && !isLost;
    if (isBack && Date.now() - refetchedAt.current >= refetchIntervalMs) {
      const failed = {
        type: 'active',
        predicate: ({ state }: Query) => state.status === 'error',
      } as const;
      // Another call may succeed while one is still being tried again: then nothing has failed yet.
      if (queries.getQueryCache().findAll(failed).length > 0) {
        refetchedAt.current = Date.now();
        void queries.refetchQueries(failed);
      }
    }
    wasLost.current = isLost;
  }, [isLost, queries]);
  useEffect(() => {
    if (!isLost) return undefined;
    const look = () => void probe();
    const probing = setInterval(look, probeIntervalMs);
    addEventListener('online', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(probing);
      removeEventListener('online', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, [isLost]);
}

async function probe(): Promise<void> {
  if (document.visibilityState !== 'visible') return;
  try {
    const { ok } = await fetch(probeAddress, { signal: AbortSignal.timeout(probeTimeoutMs) });
    if (ok) setConnectionLost(false);
  } catch {
    // Still lost: the next probe asks again.
  }
}
