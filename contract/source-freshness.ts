/** Whether what a source brought is fresh enough to rely on. No news is not good news: what was never synced is not fresh. */
import type { SourceState } from './sync-calls.ts';

export type Freshness = 'fresh' | 'stale' | 'never' | 'off' | 'unavailable';

const day = 24 * 3_600_000;

/** Two days: a source that is synced once a day may miss one. */
const freshFor = 2 * day;

export function freshnessOf(
  { available, enabled, lastSuccessAt }: Pick<SourceState, 'available' | 'enabled' | 'lastSuccessAt'>,
  now: number,
): Freshness {
  if (!available) return 'unavailable';
  if (!enabled) return 'off';
  if (lastSuccessAt === null) return 'never';
  return now - lastSuccessAt <= freshFor ? 'fresh' : 'stale';
}
