/** Shared clock of all relative times, so that a table of a thousand dates has one timer. */
import { useSyncExternalStore } from 'react';

const tickMs = 15_000;
const watchers = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  now = Date.now();
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  if (timer === undefined) {
    now = Date.now();
    timer = setInterval(tick, tickMs);
  }
  return () => {
    watchers.delete(watcher);
    if (watchers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Returns the time of the last tick, at most 15 seconds ago. */
export function useNow(): number {
  return useSyncExternalStore(watch, () => now);
}
