/** Converts the last 90 days of a source into cells of a strip, each with a description. Days are UTC days, as vendors date their records. */

import { catalogueLists } from '@patch/catalogue/lists.ts';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import { dayLength, toDayNumber } from '@patch/contract/sources/release-rhythm.ts';
import { getFreshness } from '@patch/contract/sources/source-freshness.ts';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { dayDate } from '../values/day-date.ts';
import { formatNumber } from '../widgets/format-number.ts';

export interface ReleaseCell {
  /** Start of the day, in epoch milliseconds. */
  readonly at: number;
  readonly count: number;
  /** Amount relative to this source, from 0 for none to 4 for the most. */
  readonly level: number;
  /** Whether a quarantine of this day waits for a decision. */
  readonly isQuarantined: boolean;
  /** Whether the day belongs to a pause that is longer than the vendor's rhythm explains. */
  readonly isSilent: boolean;
  /** For example 'Nov 12, 2026: 3 records'. */
  readonly description: string;
}

const levels = 4;

export function toReleaseCells(state: SourceState, now: number): readonly ReleaseCell[] {
  const { firstDay, perDay, newest } = state.releases;
  const maxCount = Math.max(0, ...perDay);
  const silentFrom =
    getFreshness(state, now) === 'silent' && newest !== null
      ? toDayNumber(newest.releaseDate)
      : Number.POSITIVE_INFINITY;
  const quarantine = groupQuarantineByDay(state, firstDay);
  return perDay.map((count, index) => {
    const at = firstDay + index * dayLength;
    const waiting = quarantine.get(toDayNumber(at)) ?? [];
    return {
      at,
      count,
      level: count === 0 ? 0 : Math.ceil((levels * Math.log1p(count)) / Math.log1p(maxCount)),
      isQuarantined: waiting.length > 0,
      isSilent: count === 0 && toDayNumber(at) > silentFrom,
      description: [`${dayDate(at, 'UTC')}: ${formatCount(state.source, count)}`, ...waiting].join(
        '; ',
      ),
    };
  });
}

/** Describes the strip for screen readers. */
export function describeStrip(
  { source, releases }: SourceState,
  cells: readonly ReleaseCell[],
): string {
  const withRecords = cells.filter(({ count }) => count > 0);
  const total = withRecords.reduce((sum, { count }) => sum + count, 0);
  const quarantined = cells
    .filter(({ isQuarantined }) => isQuarantined)
    .map(({ description }) => description);
  const last = withRecords.at(-1);
  const summary =
    last === undefined
      ? `No records dated in the last ${cells.length} days.`
      : `Last ${cells.length} days: ${formatCount(source, total)} on ${withRecords.length === 1 ? '1 day' : `${withRecords.length} days`}, the last on ${dayDate(last.at, 'UTC')}.`;
  const newestNote =
    last === undefined && releases.newest !== null
      ? ` The newest record${getListPhrase(releases)} is dated ${dayDate(releases.newest.releaseDate, 'UTC')}.`
      : '';
  return `${summary}${newestNote}${quarantined.length === 0 ? '' : ` Waiting for a decision: ${quarantined.join('; ')}.`}`;
}

const getListPhrase = ({ listLabel }: SourceState['releases']) =>
  listLabel === null ? '' : ` of ${listLabel}`;

/** Counts 'updates' for a source whose records can share one, otherwise 'records'. */
function formatCount(source: SourceKey, count: number): string {
  const unit = catalogueLists.some((list) => list.source === source && list.countedBy !== undefined)
    ? 'update'
    : 'record';
  return count === 0 ? `no ${unit}s` : `${formatNumber(count)} ${unit}${count === 1 ? '' : 's'}`;
}

/** Assigns quarantines to days. One that began before the strip is on its first day, with its date. */
function groupQuarantineByDay(
  { quarantine }: SourceState,
  firstDay: number,
): ReadonlyMap<number, readonly string[]> {
  const byDay = new Map<number, string[]>();
  for (const { quarantinedAt, partLabel, reason, records } of quarantine) {
    const count = `${formatNumber(records)} ${records === 1 ? 'record' : 'records'}`;
    const what = reason === 'records_missing' ? `withdrawal of ${count}` : `content of ${count}`;
    const day = Math.max(toDayNumber(quarantinedAt), toDayNumber(firstDay));
    const since = quarantinedAt < firstDay ? ` since ${dayDate(quarantinedAt, 'UTC')}` : '';
    byDay.set(day, [...(byDay.get(day) ?? []), `${partLabel}: ${what} in quarantine${since}`]);
  }
  return byDay;
}
