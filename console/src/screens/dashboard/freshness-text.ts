/** How many sources are fresh, in words. */
import { type Freshness, freshnessOf } from '@patch/contract/source-freshness.ts';
import type { SourceState } from '@patch/contract/sync-endpoints.ts';

/** '1 of 4 sources is fresh, 1 silent, 1 not synced, 1 of unknown rhythm' */
export function freshnessText(sources: readonly SourceState[], now = Date.now()): string {
  const followed = sources.filter(({ available, enabled }) => available && enabled);
  const count = (...among: readonly Freshness[]) =>
    followed.filter((source) => among.includes(freshnessOf(source, now))).length;
  const fresh = count('fresh');
  if (followed.length === 0) return 'No sources enabled';
  if (fresh === followed.length)
    return fresh === 1 ? 'The one source is fresh' : `All ${fresh} sources are fresh`;
  const others = [
    [count('silent'), 'silent'],
    [count('stale', 'never'), 'not synced'],
    [count('rhythm_unknown'), 'of unknown rhythm'],
  ] as const;
  const told = others.filter(([many]) => many > 0).map(([many, words]) => `, ${many} ${words}`);
  return `${fresh} of ${followed.length} sources ${fresh === 1 ? 'is' : 'are'} fresh${told.join('')}`;
}
