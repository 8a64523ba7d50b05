/** Derives how often a vendor publishes from the days of its records: the rule of decision 014. */

/** Newest distinct days that determine a rhythm. */
export const daysOfRhythm = 50;
/** Fewer distinct days have at most one gap, which is not a rhythm. */
const fewestDays = 3;
/** Days in the chart, including today. */
export const daysDrawn = 90;

export const dayLength = 24 * 3_600_000;

/** Returns the UTC day of a time, in days since 1970. */
export const toDayNumber = (time: number): number => Math.floor(time / dayLength);

/**
 * Returns the median number of days between days with new records; for an even number of gaps the mean of the middle two. Null
 * for fewer than three days: the rhythm is unknown.
 * @param days distinct days in any order, of which the newest 50 count.
 */
export function usualGapDays(days: readonly number[]): number | null {
  const newest = days.toSorted((a, b) => b - a).slice(0, daysOfRhythm);
  if (newest.length < fewestDays) return null;
  const gaps = newest
    .slice(1)
    .map((day, index) => (newest[index] ?? day) - day)
    .toSorted((a, b) => a - b);
  const middle = gaps.length / 2;
  const low = gaps[Math.ceil(middle) - 1] ?? 1;
  const high = gaps[Math.floor(middle)] ?? low;
  return Math.max(1, (low + high) / 2);
}
