/**
 * Decides whether a year's file must be requested. `modified` contains the changes of eight days: while it is read without a gap, it keeps
 * up to date every year that was read after its first reading, or at most eight days before.
 *  All times are NVD's own: when it made the files. A gap is remembered until each year has been read after it.
 */
import type { Facts, Publication } from '../definition/feed.ts';
import { vendorDate } from '../values/vendor-dates.ts';

export const modifiedPart = 'modified';

/** One day less than the file covers. */
const maxGap = 7 * 86_400_000;

/** Returns since when and until when `modified` has been read without a gap; empty when NVD states no time. */
export function extendModifiedSpan(last: Facts | undefined, made: number | null): Facts {
  if (made === null) return {};
  const since = vendorDate(last?.since);
  const until = vendorDate(last?.until);
  const isGapless = since !== null && until !== null && Math.abs(made - until) <= maxGap;
  return {
    since: new Date(isGapless ? since : made).toISOString(),
    until: new Date(isGapless ? Math.max(until, made) : made).toISOString(),
  };
}

/** @param year facts that the year's part remembered of its file */
export async function isCoveredByModified(publication: Publication, year: Facts): Promise<boolean> {
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
