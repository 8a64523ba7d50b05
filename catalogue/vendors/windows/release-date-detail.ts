/** Where a KB's release date comes from, as its detail tells it. */
import type { Bound, ReleaseDate, StatedDate } from './kb-release-dates.ts';
import type { releaseDateUses } from './release-dates-table.ts';
import { isoDay, nameOfSource } from './source-names.ts';

export function releaseDateDetail({ taken, stated, passedOverFor }: ReleaseDate) {
  return {
    releaseDateSource:
      taken === null ? openWords(passedOverFor) : sourceWords(taken, stated, passedOverFor),
    releaseDates: stated.map((one) => ({
      releaseDate: one.date,
      source: nameOfStatement(one),
      count: one.count,
      use: useOf(one, taken, passedOverFor),
    })),
  };
}

function sourceWords(
  taken: StatedDate,
  stated: readonly StatedDate[],
  passedOverFor: Bound | null,
): string {
  const alike = stated.filter(
    ({ source, isRevision }) =>
      (source === 'scan') === (taken.source === 'scan') && isRevision === taken.isRevision,
  );
  const all = alike.reduce((sum, { count }) => sum + count, 0);
  const share =
    alike.length === 1
      ? ''
      : ` (${taken.count} of ${all} ${taken.source === 'scan' ? 'updates' : 'fixes'})`;
  const why =
    passedOverFor === null
      ? ''
      : `; an earlier date was passed over, as it lies before ${boundWords(passedOverFor)}`;
  return `${nameOfStatement(taken)}${share}${why}`;
}

const nameOfStatement = ({ source, isRevision }: StatedDate) =>
  isRevision ? `${nameOfSource(source)}, revision` : nameOfSource(source);

const boundWords = ({ kb }: Bound) =>
  kb === null ? 'KBs with lower numbers' : `${kb}, which this KB replaces`;

/** Of a KB whose day no document states. */
const openWords = (bound: Bound | null) =>
  bound === null
    ? null
    : `no document states the day: not before ${isoDay(bound.date)}, by ${boundWords(bound)}`;

function useOf(
  one: StatedDate,
  taken: StatedDate | null,
  passedOverFor: Bound | null,
): (typeof releaseDateUses)[number] {
  if (one === taken) return 'Taken';
  return passedOverFor !== null && (taken === null || one.date < taken.date)
    ? 'Passed over'
    : 'Not used';
}
