/** How many sources are fresh, in words. */
import { freshnessOf } from '@patch/contract/source-freshness.ts';
import type { SourceState } from '@patch/contract/sync-calls.ts';

/** '3 of 4 sources are fresh' */
export function freshnessWords(sources: readonly SourceState[], now = Date.now()): string {
  const followed = sources.filter(({ available, enabled }) => available && enabled);
  const fresh = followed.filter((source) => freshnessOf(source, now) === 'fresh').length;
  if (followed.length === 0) return 'No source is followed';
  if (fresh === followed.length) return fresh === 1 ? 'The one source is fresh' : `All ${fresh} sources are fresh`;
  return `${fresh} of ${followed.length} sources ${fresh === 1 ? 'is' : 'are'} fresh`;
}
