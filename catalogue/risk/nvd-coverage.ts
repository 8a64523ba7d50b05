/**
 * Whether the file of a year must be asked for. `modified` holds the changes of eight days: while it is read without a gap, it
 * keeps every year that was read since its first reading, or up to eight days before, up to date.
 *
 * All times are NVD's own: when it made the files. A gap stays on record until each year has been read after it.
 */
import type { Facts, Publication } from '../definition/feed.ts';
import { vendorDate } from '../values/vendor-dates.ts';

export const modifiedPart = 'modified';

/** A day less than the file holds. */
const maxGap = 7 * 86_400_000;

/** What `modified` remembers: since when it has been read without a gap, and until when. Empty where NVD states no time. */
export function modifiedSpan(last: Facts | undefined, made: number | null): Facts {
  if (made === null) return {};
  const since = vendorDate(last?.since);
  const until = vendorDate(last?.until);
  const goesOn = since !== null && until !== null && Math.abs(made - until) <= maxGap;
  return {
    since: new Date(goesOn ? since : made).toISOString(),
    until: new Date(goesOn ? Math.max(until, made) : made).toISOString(),
  };
}

/** `year` is what the part of a year remembers of the file that it was read from. */
export async function coveredByModified(publication: Publication, year: Facts): Promise<boolean> {
  const span = await publication.partRemembered?.(modifiedPart);
  const since = vendorDate(span?.since);
  const until = vendorDate(span?.until);
  const made = vendorDate(year.modified);
  return (
    since !== null &&
    until !== null &&
    made !== null &&
    publication.now() - until <= maxGap &&
    since - made <= maxGap
  );
}
