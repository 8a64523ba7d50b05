/** Shows what an alert would have reported day by day, based on the current records. */
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import { dayAt, startOfHour } from '@patch/contract/dates/zoned-day.ts';
import {
  type AlertMode,
  type AlertPreviewDay,
  previewedDays,
} from '@patch/contract/reports/alert-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import type { RequestedSearch } from '../../records/criteria/view-criteria.ts';
import { toAlertItem } from './alert-item.ts';
import { readLastRecordId, readRecordFrom } from './alert-store.ts';
import { findLastTime } from './owner-zone.ts';
import { type FoundRecords, findRecordsInSpans, type ViewSearchParts } from './view-search.ts';

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

/** Returns the days, newest first. Relative times are evaluated at the time of each email. */
export async function previewAlert(
  parts: ViewSearchParts,
  { list, search, mode, hour, timeZone, now, signal }: PreviewedAlert,
): Promise<AlertPreviewDay[]> {
  const { database } = parts;
  const days: AlertPreviewDay[] = [];
  let upTo = await readLastRecordId(database, list.key);
  const times = mode === 'digest' ? digestTimes(hour, timeZone, now) : dayEnds(timeZone, now);
  // Records after the last digest belong to the next one.
  if (mode === 'digest') upTo = await findLastRecord(database, list.key, times[0] ?? now, upTo);
  for (const [index, at] of times.slice(0, -1).entries()) {
    const above = await findLastRecord(database, list.key, times[index + 1] ?? 0, upTo);
    const options = {
      spans: [[above, upTo]],
      most: recordsShown,
      when: { now: at, timeZone },
      ...(signal !== undefined && { signal }),
    } as const;
    // Search even when no record is new, so that an invalid query is refused.
    const { found, totalCount, updateCount } =
      above === upTo && index > 0
        ? nothingNew
        : await findRecordsInSpans(parts, list, search, options);
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

/** Returns one more time than there are days: each day lies between two times. */
function digestTimes(hour: number, timeZone: string, now: number): number[] {
  const day = dayAt(findLastTime(hour, timeZone, now), timeZone);
  return Array.from({ length: previewedDays + 1 }, (_, back) =>
    startOfHour({ ...day, day: day.day - back }, hour, timeZone),
  );
}

/** Returns the ends of the days; today ends now. */
function dayEnds(timeZone: string, now: number): number[] {
  const today = dayAt(now, timeZone);
  const before = Array.from(
    { length: previewedDays },
    (_, back) => startOfHour({ ...today, day: today.day - back }, 0, timeZone) - 1,
  );
  return [now, ...before];
}

/** Returns the id of the newest record, up to `high`, that existed at the time. Ids follow the order of arrival. */
async function findLastRecord(
  database: Queryable,
  list: string,
  time: number,
  high: number,
): Promise<number> {
  const newest = high === 0 ? null : await readRecordFrom(database, list, high);
  if (newest === null || newest.createdTime <= time) return high;
  let low = 0;
  let top = newest.id - 1;
  while (low < top) {
    const middle = Math.floor((low + top + 1) / 2);
    const record = await readRecordFrom(database, list, middle);
    if (record !== null && record.id <= top && record.createdTime <= time) low = record.id;
    else top = middle - 1;
  }
  return low;
}
