/** Formats how many records a machine lacks, for the console and the command line. */
import type { Assessment } from './assessment-endpoint.ts';

/** Returns the counts above zero, the most urgent first: [[2, 'known exploited'], [1, 'critical']] */
export function countedMissing(
  counts: Assessment['counts'],
): readonly (readonly [count: number, words: string])[] {
  const all = [
    [counts.exploited, 'known exploited'],
    [counts.critical, 'critical'],
    [counts.important, 'important'],
    [counts.moderate, 'moderate'],
    [counts.low, 'low'],
    [counts.unspecified, 'without severity'],
    [counts.uncertain, 'uncertain'],
    [counts.needsSubscription, 'with a subscription only'],
  ] as const;
  return all.filter(([count]) => count > 0);
}
