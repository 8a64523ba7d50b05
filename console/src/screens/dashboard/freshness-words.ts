/** Whether what a source brought is fresh enough to rely on. No news is not good news: what was never synced is not fresh. */
import type { SourceState } from '@patch/contract/sync-calls.ts';

export type Freshness = 'fresh' | 'stale' | 'never' | 'off' | 'unavailable';

const day = 24 * 3_600_000;

/** Two days: a source that is synced once a day may miss one. */
const freshFor = 2 * day;

export function freshnessOf({ available, enabled, lastSuccessAt }: SourceState, now: number): Freshness {
  if (!available) return 'unavailable';
  if (!enabled) return 'off';
  if (lastSuccessAt === null) return 'never';
  return now - lastSuccessAt <= freshFor ? 'fresh' : 'stale';
}

/** '9 of 11 sources are fresh' */
export function freshnessWords(sources: readonly SourceState[], now = Date.now()): string {
  const followed = sources.filter(({ available, enabled }) => available && enabled);
  const fresh = followed.filter((source) => freshnessOf(source, now) === 'fresh').length;
  if (followed.length === 0) return 'No source is followed';
  if (fresh === followed.length) return fresh === 1 ? 'The one source is fresh' : `All ${fresh} sources are fresh`;
  return `${fresh} of ${followed.length} sources ${fresh === 1 ? 'is' : 'are'} fresh`;
}
