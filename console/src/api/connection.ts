/** Connection state. Every call updates it; while the service is unreachable, a probe checks it. */
import { type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useSyncExternalStore } from 'react';

const probeIntervalMs = 3000;
const probeTimeoutMs = 10_000;
/** Limits refetches when a gateway fails one endpoint again and again while the service itself is reachable. */
const refetchIntervalMs = 60_000;
/** Works without a session, so that probing does not prolong one. */
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

/** Statuses that a proxy returns for an unreachable service. */
export const isGatewayStatus = (status: number): boolean => [502, 503, 504].includes(status);

/** Probes an unreachable service, and repeats failed queries when it is back. Mounted once, in the header. */
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
      // Without failed queries, those that are still retrying may fail later: the interval must not begin yet.
      if (queries.getQueryCache().findAll(failed).length > 0) {
        refetchedAt.current = Date.now();
        void queries.refetchQueries(failed);
      }
    }
    wasLost.current = isLost;
  }, [isLost, queries]);
  useEffect(() => {
    if (!isLost) return undefined;
    const probeNow = () => void probe();
    const probeTimer = setInterval(probeNow, probeIntervalMs);
    addEventListener('online', probeNow);
    document.addEventListener('visibilitychange', probeNow);
    return () => {
      clearInterval(probeTimer);
      removeEventListener('online', probeNow);
      document.removeEventListener('visibilitychange', probeNow);
    };
  }, [isLost]);
}

async function probe(): Promise<void> {
  if (document.visibilityState !== 'visible') return;
  try {
    const { ok } = await fetch(probeAddress, { signal: AbortSignal.timeout(probeTimeoutMs) });
    if (ok) setConnectionLost(false);
  } catch {
    // Still unreachable: the next probe follows.
  }
}
