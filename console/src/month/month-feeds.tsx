/** What the sources may not have read of the month. A source without a word here was synced since the release. */
import { utcMinute } from '@patch/contract/dates/utc-minute.ts';
import { feedWords, type Month } from '@patch/contract/reports/month-endpoints.ts';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { runSearch, syncPath } from '../widgets/list-paths.ts';
import styles from './month.module.css';

export function MonthFeeds({ month: { feeds, readUntil } }: { readonly month: Month }) {
  const missing = feeds.filter(({ state }) => state !== 'read');
  const partly = missing.filter(({ state }) => state === 'warnings');
  return (
    <section className={styles['card']} aria-labelledby="month-feeds">
      <h2 id="month-feeds">What the sources may not have read</h2>
      <p className={styles['quiet']}>
        {feeds.length - missing.length} of {feeds.length} sources were read completely since{' '}
        {utcMinute(readUntil)}.
      </p>
      <ul className={styles['lines']}>
        {missing
          .filter(({ state }) => state !== 'warnings')
          .map(({ source, label, state, lastSuccessAt, run }) => (
            <li key={source} data-state={state}>
              <Link to={syncPath} search={runSearch(source, run?.id) as never}>
                {label}
              </Link>
              : {feedWords[state]}
              {lastSuccessAt === null ? '' : `; last success ${utcMinute(lastSuccessAt)}`}
            </li>
          ))}
        {partly.length > 0 && (
          <li>
            {partly.map(({ source, label, run }, index) => (
              <Fragment key={source}>
                {index > 0 ? ', ' : ''}
                <Link to={syncPath} search={runSearch(source, run?.id) as never}>
                  {label}
                </Link>
              </Fragment>
            ))}
            : {feedWords.warnings}
          </li>
        )}
      </ul>
    </section>
  );
}
