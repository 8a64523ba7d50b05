/** What the sources may not have read of the month. A source without a word here was synced since the release. */
import type { Month, MonthFeed } from '@patch/contract/month-endpoints.ts';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { runSearch, syncPath } from '../widgets/list-paths.ts';
import { TimeAgo } from '../widgets/time-ago.tsx';
import styles from './month.module.css';

const words: Readonly<Record<Exclude<MonthFeed['state'], 'read'>, string>> = {
  failed: 'the last sync did not succeed',
  never: 'never synced',
  behind: 'not synced since the release',
  off: 'switched off',
  warnings: 'synced since, but not everything could be read',
};

export function MonthFeeds({ month: { feeds, readUntil } }: { readonly month: Month }) {
  const missing = feeds.flatMap((feed) =>
    feed.state === 'read' ? [] : [{ ...feed, says: words[feed.state] }],
  );
  const partly = missing.filter(({ state }) => state === 'warnings');
  const until = `${new Date(readUntil).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return (
    <section className={styles['card']} aria-labelledby="month-feeds">
      <h2 id="month-feeds">What the sources may not have read</h2>
      <p className={styles['quiet']}>
        {feeds.length - missing.length} of {feeds.length} sources were read completely since {until}
        .
      </p>
      <ul className={styles['lines']}>
        {missing
          .filter(({ state }) => state !== 'warnings')
          .map(({ source, label, state, says, lastSuccessAt, run }) => (
            <li key={source} data-state={state}>
              <Link to={syncPath} search={runSearch(source, run?.id) as never}>
                {label}
              </Link>
              : {says}
              {lastSuccessAt === null ? null : (
                <>
                  ; last success <TimeAgo value={lastSuccessAt} />
                </>
              )}
            </li>
          ))}
        {partly.length > 0 && (
          <li>
            Synced since, but not everything could be read:{' '}
            {partly.map(({ source, label, run }, index) => (
              <Fragment key={source}>
                {index > 0 ? ', ' : ''}
                <Link to={syncPath} search={runSearch(source, run?.id) as never}>
                  {label}
                </Link>
              </Fragment>
            ))}
          </li>
        )}
      </ul>
    </section>
  );
}
