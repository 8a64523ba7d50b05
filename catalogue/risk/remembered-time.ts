import type { Publication } from '../definition/feed.ts';
import { vendorDate } from '../values/vendor-dates.ts';

const tolerance = 86_400_000;

/**
 * Returns the time that the part remembered as `name`, in epoch milliseconds, to compare publications by date; null without one. A time in
 * the future is ignored: one publication with a wrong date must not block all later ones.
 */
export function getRememberedTime(
  { remembered, now }: Pick<Publication, 'remembered' | 'now'>,
  name: string,
): number | null {
  const time = vendorDate(remembered?.[name]);
  return time !== null && time <= now() + tolerance ? time : null;
}
