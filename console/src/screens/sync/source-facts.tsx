/** What a source's row says: its lists, what its last run reported, when that was, when the next comes. */
import type { Run, SourceState } from '@patch/contract/sync-calls.ts';
import { Link } from '@tanstack/react-router';
import { figures } from '../../widgets/figures.ts';
import { listPath } from '../../widgets/list-paths.ts';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import { durationWords } from '../../widgets/time-words.ts';
import { routeOfList } from './route-of-list.ts';
import { scheduleWords } from './schedule-words.ts';
import styles from './source-row.module.css';

export function ListsOf({ state: { lists } }: { readonly state: SourceState }) {
  return (
    <ul className={styles['lists']}>
      {lists.map(({ key, label, rows }) => {
        const route = routeOfList(key);
        const words = (
          <>
            {label} <span className={styles['rows']}>{figures(rows)}</span>
          </>
        );
        return <li key={key}>{route === undefined ? words : <Link to={listPath({ route })}>{words}</Link>}</li>;
      })}
    </ul>
  );
}

/** A failure says what happened and what to do; warnings are counted, the rest is in the history. */
export function StateNote({ state: { available, run } }: { readonly state: SourceState }) {
  if (!available) return <p className={styles['note']}>This version cannot read this vendor's publication. Its lists stay empty.</p>;
  if (run === null || run.state === 'running' || run.state === 'queued') return null;
  const failed = run.state === 'failed' || run.state === 'interrupted';
  const [first, ...others] = run.warnings;
  return (
    <>
      {run.message === '' ? null : (
        <p className={styles['note']} data-failed={failed || undefined}>
          {run.message}
        </p>
      )}
      {first === undefined ? null : (
        <p className={styles['note']} data-warning>
          {first}
          {others.length === 0 ? null : ` And ${others.length} more in the history.`}
        </p>
      )}
    </>
  );
}

export function LastRun({ state: { run, lastSuccessAt } }: { readonly state: SourceState }) {
  const at = run?.endedAt ?? run?.startedAt ?? null;
  const succeeded = run !== null && run.endedAt !== null && run.endedAt === lastSuccessAt;
  const verb = succeeded ? 'Synced' : run?.endedAt === null ? 'Started' : 'Tried';
  return (
    <div className={styles['fact']} data-label="Last run">
      {at === null ? null : (
        <p>
          {verb} <TimeAgo value={at} />
        </p>
      )}
      {run === null ? null : <p className={styles['quiet']}>{howItRan(run)}</p>}
      {succeeded ? null : (
        <p className={styles['quiet']}>
          {lastSuccessAt === null ? (
            'No success yet'
          ) : (
            <>
              Last success <TimeAgo value={lastSuccessAt} />
            </>
          )}
        </p>
      )}
    </div>
  );
}

/** '2 m 5 s, by schedule' */
function howItRan({ startedBy, startedAt, endedAt }: Run): string {
  const by = startedBy === 'schedule' ? 'by schedule' : `by ${startedBy}`;
  return startedAt === null || endedAt === null ? by : `${durationWords(endedAt - startedAt)}, ${by}`;
}

export function NextRun({ state: { schedule, nextRunAt } }: { readonly state: SourceState }) {
  return (
    <div className={styles['fact']} data-label="Next run">
      {nextRunAt === null ? (
        <p className={styles['quiet']}>Only by hand</p>
      ) : (
        <p>
          <TimeAgo value={nextRunAt} />
        </p>
      )}
      {schedule === null ? null : <p className={styles['quiet']}>{scheduleWords(schedule)}</p>}
    </div>
  );
}
