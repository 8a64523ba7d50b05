/** Counts the sources by what an administrator has to know about their data. */
import { type Freshness, getFreshness } from '@patch/contract/source-freshness.ts';
import type { SourceState } from '@patch/contract/sync-endpoints.ts';

/** Returns for example '4 sources synced, 8 silent, 1 overdue, 3 not synced yet'. */
export function describeFreshness(sources: readonly SourceState[], now = Date.now()): string {
  const enabledSources = sources.filter(({ available, enabled }) => available && enabled);
  if (enabledSources.length === 0) return 'No sources enabled';
  const count = (...states: readonly Freshness[]) =>
    enabledSources.filter((source) => states.includes(getFreshness(source, now))).length;
  const synced = count('fresh', 'rhythm_unknown');
  const others = [
    [count('silent'), 'silent'],
    [count('stale'), 'overdue'],
    [count('never'), 'not synced yet'],
  ] as const;
  return [
    `${synced} ${synced === 1 ? 'source' : 'sources'} synced`,
    ...others.filter(([amount]) => amount > 0).map(([amount, words]) => `${amount} ${words}`),
  ].join(', ');
}
