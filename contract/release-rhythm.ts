/** How often a vendor publishes, told from the days that its records are dated on: the rule of decision 014. */

/** Distinct days that a rhythm is taken from, the newest ones. */
export const daysOfRhythm = 50;
/** With fewer distinct days there is one gap or none, which is no rhythm. */
const fewestDays = 3;
/** Days that are drawn, today included. */
export const daysDrawn = 90;

export const dayLength = 24 * 3_600_000;

/** The UTC day of a time, in days since 1970. */
export const dayOf = (time: number): number => Math.floor(time / dayLength);

/**
 * The median number of days from one day with new records to the next; of an even number of gaps the mean of the two in the
 * middle. `days`: distinct days, in any order; the newest 50 count. Null when they are fewer than three: no rhythm is known.
 */
export function usualGapDays(days: readonly number[]): number | null {
  const newest = days.toSorted((a, b) => b - a).slice(0, daysOfRhythm);
  if (newest.length < fewestDays) return null;
  const gaps = newest
    .slice(1)
    .map((day, place) => (newest[place] ?? day) - day)
    .toSorted((a, b) => a - b);
  const middle = gaps.length / 2;
  const low = gaps[Math.ceil(middle) - 1] ?? 1;
  const high = gaps[Math.floor(middle)] ?? low;
  return Math.max(1, (low + high) / 2);
}
