/** The facts beside a strip: the newest record with its date, the vendor's rhythm, and records dated in the future. */

import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import { getFreshness, rhythmText } from '@patch/contract/sources/source-freshness.ts';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { Link } from '@tanstack/react-router';
import { dayDate } from '../values/day-date.ts';
import { formatNumber } from '../widgets/format-number.ts';
import { recordPath } from '../widgets/list-paths.ts';
import { useNow } from '../widgets/ticking-clock.ts';
import styles from './release-facts.module.css';

export function ReleaseFacts({ state }: { readonly state: SourceState }) {
  const now = useNow();
  const { isDated, listLabel, newest, usualGapDays, daysKnown, ahead } = state.releases;
  if (!isDated) return <p className={styles['facts']}>Its records have no release dates.</p>;
  if (newest === null && ahead === null) {
    return state.lastSuccessAt === null ? null : (
      <p className={styles['facts']}>None of its records has a date.</p>
    );
  }
  return (
    <div className={styles['facts']}>
      {newest === null ? null : (
        <p>
          Newest{listLabel === null ? '' : ` of ${listLabel}`}: <NewestRecord newest={newest} />,{' '}
          {dayDate(newest.releaseDate, 'UTC')}
        </p>
      )}
      <p>{describeBasis(usualGapDays, daysKnown, getFreshness(state, now) === 'silent')}</p>
      {ahead === null ? null : (
        <p className={styles['ahead']}>
          {formatNumber(ahead.records)} {ahead.records === 1 ? 'record is' : 'records are'} dated in
          the future, up to {dayDate(ahead.latest, 'UTC')}, and not counted
        </p>
      )}
    </div>
  );
}

/** Describes the basis of the rhythm. The gap itself is stated with the silence when the vendor is silent. */
function describeBasis(usualGapDays: number | null, daysKnown: number, isSilent: boolean): string {
  const days = `the last ${formatNumber(daysKnown)} days with records`;
  if (isSilent) return `Rhythm by ${days}`;
  if (usualGapDays !== null) return `Usually ${rhythmText(usualGapDays)}, by ${days}`;
  return `Only ${daysKnown === 1 ? 'one day' : `${daysKnown} days`} with records: too few for a rhythm`;
}

type Newest = NonNullable<SourceState['releases']['newest']>;

function NewestRecord({ newest: { list: key, rowId, identity } }: { readonly newest: Newest }) {
  const list = getList(key as ListKey);
  return (
    <Link to={recordPath(list, rowId)} preload={false} data-tip={list.label}>
      {identity}
    </Link>
  );
}
