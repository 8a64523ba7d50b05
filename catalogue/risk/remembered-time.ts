/** Compares the date of a publication with that of the last one that was read. */
import type { Publication } from '../definition/feed.ts';
import { vendorDate } from '../values/vendor-dates.ts';

const tolerance = 86_400_000;

/**
 * The time that a part remembered under that name, epoch milliseconds; null when there is none. A time in the future is ignored:
 * one publication with a wrong date must not block all that follow.
 */
export function rememberedTime(
  { remembered, now }: Pick<Publication, 'remembered' | 'now'>,
  name: string,
): number | null {
  const time = vendorDate(remembered?.[name]);
  return time !== null && time <= now() + tolerance ? time : null;
}
