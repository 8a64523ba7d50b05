/** Describes how many sources are fresh. */
import { type Freshness, getFreshness } from '@patch/contract/source-freshness.ts';
import type { SourceState } from '@patch/contract/sync-endpoints.ts';

/** Returns for example '1 of 4 sources is fresh, 1 silent, 1 not synced, 1 of unknown rhythm'. */
export function describeFreshness(sources: readonly SourceState[], now = Date.now()): string {
  const enabledSources = sources.filter(({ available, enabled }) => available && enabled);
  const count = (...states: readonly Freshness[]) =>
    enabledSources.filter((source) => states.includes(getFreshness(source, now))).length;
  const fresh = count('fresh');
  if (enabledSources.length === 0) return 'No sources enabled';
  if (fresh === enabledSources.length)
    return fresh === 1 ? 'The one source is fresh' : `All ${fresh} sources are fresh`;
  const others = [
    [count('silent'), 'silent'],
    [count('stale', 'never'), 'not synced'],
    [count('rhythm_unknown'), 'of unknown rhythm'],
  ] as const;
  const parts = others
    .filter(([amount]) => amount > 0)
    .map(([amount, words]) => `, ${amount} ${words}`);
  return `${fresh} of ${enabledSources.length} sources ${fresh === 1 ? 'is' : 'are'} fresh${parts.join('')}`;
}
