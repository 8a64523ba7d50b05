/** Where a KB's release date comes from, as its detail tells it. */
import type { ReleaseDate, StatedDate } from './kb-release-dates.ts';
import type { releaseDateUses } from './release-dates-table.ts';
import { nameOfSource } from './source-names.ts';

export function releaseDateDetail({ taken, stated, passedOverFor }: ReleaseDate) {
  return {
    releaseDateSource: taken === null ? null : sourceWords(taken, stated, passedOverFor),
    releaseDates: stated.map((one) => ({
      releaseDate: one.date,
      source: nameOfSource(one.source),
      count: one.count,
      use: useOf(one, taken, passedOverFor),
    })),
  };
}

function sourceWords(
  taken: StatedDate,
  stated: readonly StatedDate[],
  passedOverFor: string | null,
): string {
  const alike = stated.filter(({ source }) => (source === 'scan') === (taken.source === 'scan'));
  const all = alike.reduce((sum, { count }) => sum + count, 0);
  const share =
    alike.length === 1
      ? ''
      : ` (${taken.count} of ${all} ${taken.source === 'scan' ? 'updates' : 'fixes'})`;
  const why =
    passedOverFor === null
      ? ''
      : `; an earlier date was passed over, as it lies before ${passedOverFor}, which this KB replaces`;
  return `${nameOfSource(taken.source)}${share}${why}`;
}

function useOf(
  one: StatedDate,
  taken: StatedDate | null,
  passedOverFor: string | null,
): (typeof releaseDateUses)[number] {
  if (one === taken) return 'Taken';
  return passedOverFor !== null && taken !== null && one.date < taken.date
    ? 'Passed over'
    : 'Not used';
}
