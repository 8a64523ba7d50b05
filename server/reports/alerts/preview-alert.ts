/** What an alert of a search would have told day by day, of the records as they are now. */
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import {
  type AlertMode,
  type AlertPreviewDay,
  previewedDays,
} from '@patch/contract/alert-endpoints.ts';
import { dayAt, startOfHour } from '@patch/contract/dates/zoned-day.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { lastRecord, recordFrom } from './alert-store.ts';
import { lastTimeOf } from './owner-zone.ts';
import { toAlertItem } from './told-record.ts';
import {
  type FoundRecords,
  type RequestedSearch,
  recordsWithin,
  type ViewSearchParts,
} from './view-search.ts';

const recordsShown = 3;
const nothingNew: FoundRecords = { found: [], totalCount: 0, updateCount: 0 };

interface PreviewedAlert {
  readonly list: CatalogueList;
  readonly search: RequestedSearch;
  readonly mode: AlertMode;
  readonly hour: number;
  readonly timeZone: string;
  readonly now: number;
  readonly signal?: AbortSignal;
}

/** Newest first. Relative times are read as they were at the time of each mail. */
export async function previewAlert(
  parts: ViewSearchParts,
  { list, search, mode, hour, timeZone, now, signal }: PreviewedAlert,
): Promise<AlertPreviewDay[]> {
  const { database } = parts;
  const days: AlertPreviewDay[] = [];
  let upTo = await lastRecord(database, list.key);
  const times = mode === 'digest' ? digestTimes(hour, timeZone, now) : endsOfDays(timeZone, now);
  // What has come since the last digest is told by the next.
  if (mode === 'digest') upTo = await lastUntil(database, list.key, times[0] ?? now, upTo);
  for (const [place, at] of times.slice(0, -1).entries()) {
    const above = await lastUntil(database, list.key, times[place + 1] ?? 0, upTo);
    const asked = {
      spans: [[above, upTo]],
      most: recordsShown,
      when: { now: at, timeZone },
      ...(signal !== undefined && { signal }),
    } as const;
    // An empty search is checked all the same: what cannot be asked is refused.
    const { found, totalCount, updateCount } =
      above === upTo && place > 0 ? nothingNew : await recordsWithin(parts, list, search, asked);
    days.push({
      at,
      total: totalCount,
      updates: updateCount,
      records: found.map((each) => toAlertItem(list, each, null, timeZone)),
    });
    upTo = above;
  }
  return days;
}

/** One more than there are days: between each two lies one. */
function digestTimes(hour: number, timeZone: string, now: number): number[] {
  const day = dayAt(lastTimeOf(hour, timeZone, now), timeZone);
  return Array.from({ length: previewedDays + 1 }, (_, back) =>
    startOfHour({ ...day, day: day.day - back }, hour, timeZone),
  );
}

/** Today ends now. */
function endsOfDays(timeZone: string, now: number): number[] {
  const today = dayAt(now, timeZone);
  const before = Array.from(
    { length: previewedDays },
    (_, back) => startOfHour({ ...today, day: today.day - back }, 0, timeZone) - 1,
  );
  return [now, ...before];
}

/** The number of the newest record that was there at the time, of those up to `high`: records are numbered as they come. */
async function lastUntil(
  database: Queryable,
  list: string,
  time: number,
  high: number,
): Promise<number> {
  const newest = high === 0 ? null : await recordFrom(database, list, high);
  if (newest === null || newest.createdTime <= time) return high;
  let low = 0;
  let top = newest.id - 1;
  while (low < top) {
    const middle = Math.floor((low + top + 1) / 2);
    const record = await recordFrom(database, list, middle);
    if (record !== null && record.id <= top && record.createdTime <= time) low = record.id;
    else top = middle - 1;
  }
  return low;
}
