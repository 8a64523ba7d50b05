/** The last 90 days of a source as cells of a strip, each with its words. Days are UTC days, as vendors date their records. */

import { catalogueLists } from '@patch/catalogue/lists.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { dayLength, dayOf } from '@patch/contract/release-rhythm.ts';
import { freshnessOf } from '@patch/contract/source-freshness.ts';
import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { dayDate } from '../values/day-date.ts';
import { formatNumber } from '../widgets/format-number.ts';

export interface ReleaseCell {
  /** When the day begins. */
  readonly at: number;
  readonly count: number;
  /** How much that is for this source: 0 nothing, 4 most. */
  readonly level: number;
  /** Something that was met on this day waits for a decision. */
  readonly isQuarantined: boolean;
  /** Part of a pause that is longer than the vendor's rhythm explains. */
  readonly isSilent: boolean;
  /** 'Nov 12, 2026: 3 records' */
  readonly words: string;
}

const levels = 4;

export function releaseCells(state: SourceState, now: number): readonly ReleaseCell[] {
  const { firstDay, perDay, newest } = state.releases;
  const most = Math.max(0, ...perDay);
  const silentFrom =
    freshnessOf(state, now) === 'silent' && newest !== null
      ? dayOf(newest.releaseDate)
      : Number.POSITIVE_INFINITY;
  const quarantine = quarantineByDay(state, firstDay);
  return perDay.map((count, place) => {
    const at = firstDay + place * dayLength;
    const waiting = quarantine.get(dayOf(at)) ?? [];
    return {
      at,
      count,
      level: count === 0 ? 0 : Math.ceil((levels * Math.log1p(count)) / Math.log1p(most)),
      isQuarantined: waiting.length > 0,
      isSilent: count === 0 && dayOf(at) > silentFrom,
      words: [`${dayDate(at, 'UTC')}: ${countWords(state.source, count)}`, ...waiting].join('; '),
    };
  });
}

/** What the strip says as a whole, for who does not see it. */
export function stripWords(
  { source, releases }: SourceState,
  cells: readonly ReleaseCell[],
): string {
  const withRecords = cells.filter(({ count }) => count > 0);
  const total = withRecords.reduce((sum, { count }) => sum + count, 0);
  const quarantined = cells.filter(({ isQuarantined }) => isQuarantined).map(({ words }) => words);
  const last = withRecords.at(-1);
  const told =
    last === undefined
      ? `No records dated in the last ${cells.length} days.`
      : `Last ${cells.length} days: ${countWords(source, total)} on ${withRecords.length === 1 ? '1 day' : `${withRecords.length} days`}, the last on ${dayDate(last.at, 'UTC')}.`;
  const before =
    last === undefined && releases.newest !== null
      ? ` The newest record${ofList(releases)} is dated ${dayDate(releases.newest.releaseDate, 'UTC')}.`
      : '';
  return `${told}${before}${quarantined.length === 0 ? '' : ` Waiting for a decision: ${quarantined.join('; ')}.`}`;
}

const ofList = ({ listLabel }: SourceState['releases']) =>
  listLabel === null ? '' : ` of ${listLabel}`;

/** '3 records'; 'updates' where several records can be about one. */
function countWords(source: SourceKey, count: number): string {
  const unit = catalogueLists.some((list) => list.source === source && list.countedBy !== undefined)
    ? 'update'
    : 'record';
  return count === 0 ? `no ${unit}s` : `${formatNumber(count)} ${unit}${count === 1 ? '' : 's'}`;
}

/** What waits since before the strip begins is marked on its first day, with the day since when. */
function quarantineByDay(
  { quarantine }: SourceState,
  firstDay: number,
): ReadonlyMap<number, readonly string[]> {
  const byDay = new Map<number, string[]>();
  for (const { quarantinedAt, partLabel, reason, records } of quarantine) {
    const count = `${formatNumber(records)} ${records === 1 ? 'record' : 'records'}`;
    const what = reason === 'records_missing' ? `withdrawal of ${count}` : `content of ${count}`;
    const day = Math.max(dayOf(quarantinedAt), dayOf(firstDay));
    const since = quarantinedAt < firstDay ? ` since ${dayDate(quarantinedAt, 'UTC')}` : '';
    byDay.set(day, [...(byDay.get(day) ?? []), `${partLabel}: ${what} in quarantine${since}`]);
  }
  return byDay;
}
