/** Words the sources of a KB's release date for its detail. */
import type { Bound, ReleaseDate, StatedDate } from '../conclusions/kb-release-dates.ts';
import { formatSource, toIsoDay } from '../conclusions/source-names.ts';
import { type releaseDateUses } from '../lists/windows-fields.ts';

export function toReleaseDateDetail({ taken, stated, passedOverFor }: ReleaseDate) {
  return {
    releaseDateSource:
      taken === null
        ? describeUnknownDate(passedOverFor)
        : describeSource(taken, stated, passedOverFor),
    releaseDates: stated.map((date) => ({
      releaseDate: date.date,
      source: formatStatement(date),
      count: date.count,
      use: getUse(date, taken, passedOverFor),
    })),
  };
}

function describeSource(
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
      : `; an earlier date was passed over, as it lies before ${describeBound(passedOverFor)}`;
  return `${formatStatement(taken)}${share}${why}`;
}

const formatStatement = ({ source, isRevision }: StatedDate) =>
  isRevision ? `${formatSource(source)}, revision` : formatSource(source);

const describeBound = ({ kb }: Bound) =>
  kb === null ? 'KBs with lower numbers' : `${kb}, which this KB replaces`;

/** Words for a KB whose day no document states. */
const describeUnknownDate = (bound: Bound | null) =>
  bound === null
    ? null
    : `no document states the day: not before ${toIsoDay(bound.date)}, by ${describeBound(bound)}`;

function getUse(
  statedDate: StatedDate,
  taken: StatedDate | null,
  passedOverFor: Bound | null,
): (typeof releaseDateUses)[number] {
  if (statedDate === taken) return 'Taken';
  return passedOverFor !== null && (taken === null || statedDate.date < taken.date)
    ? 'Passed over'
    : 'Not used';
}
