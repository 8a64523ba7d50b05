/** Withdrawn records of the month, and what this repository read since a day, each with its record and the run that read it. */
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import { utcMinute } from '@patch/contract/dates/utc-minute.ts';
import type { ChangedRecords, Month } from '@patch/contract/reports/month-endpoints.ts';
import { Link } from '@tanstack/react-router';
import { FigureLink } from '../widgets/figure-link.tsx';
import { formatNumber } from '../widgets/format-number.ts';
import { recordPath, runSearch, syncPath } from '../widgets/list-paths.ts';
import styles from './month.module.css';

export function MonthChanges({ month: { difference, withdrawn } }: { readonly month: Month }) {
  if (difference === null && withdrawn.totalCount === 0) return null;
  return (
    <section className={styles['card']} aria-labelledby="month-changes">
      <h2 id="month-changes">Changes</h2>
      {difference !== null && (
        <>
          <p>
            Since {utcMinute(difference.since)}:{' '}
            <FigureLink figure={difference.added} counts="updates first seen since" /> updates were
            first seen, and {formatNumber(difference.changed.totalCount)} changed.
          </p>
          <Changes title="Changed" changes={difference.changed} />
        </>
      )}
      <Changes title="Withdrawn by the vendor" changes={withdrawn} />
    </section>
  );
}

interface ChangesProps {
  readonly title: string;
  readonly changes: ChangedRecords;
}

function Changes({ title, changes: { totalCount, records } }: ChangesProps) {
  if (totalCount === 0) return null;
  const further = totalCount - records.length;
  return (
    <>
      <h3>
        {title}: {formatNumber(totalCount)}
      </h3>
      <ul className={styles['lines']}>
        {records.map(({ list, id, name, title: words, time, run, source, fields }) => (
          <li key={id}>
            <Link to={recordPath(getList(list as ListKey), id)}>{name}</Link>
            {words === null || words === name ? '' : ` ${words}`}
            {fields.length === 0 ? '' : `: ${fields.join(', ')}`} ·{' '}
            {run !== null && source !== null && (
              <>
                <Link to={syncPath} search={runSearch(source, run) as never}>
                  run {run}
                </Link>
                ,{' '}
              </>
            )}
            {utcMinute(time)}
          </li>
        ))}
      </ul>
      {further > 0 && <p className={styles['quiet']}>and {formatNumber(further)} before them</p>}
    </>
  );
}
