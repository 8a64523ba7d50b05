/** The latest runs of all sources, each linked to its details. */
import { sourceLabels } from '@patch/catalogue/sources.ts';
import type { Run } from '@patch/contract/sync-endpoints.ts';
import { Link } from '@tanstack/react-router';
import { StateWord } from '../../runs/state-word.tsx';
import { runSearch, syncPath } from '../../widgets/list-paths.ts';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import styles from './last-runs.module.css';

export function LastRuns({ runs }: { readonly runs: readonly Run[] }) {
  if (runs.length === 0) return <p className={styles['none']}>No syncs yet.</p>;
  return (
    <ul className={styles['runs']}>
      {runs.map((run) => (
        <li key={run.id} className={styles['run']}>
          <Link to={syncPath} search={runSearch(run.source, run.id)} className={styles['name']}>
            {sourceLabels[run.source]}
          </Link>
          <StateWord state={run.state} />
          <span className={styles['time']}>
            <TimeAgo value={run.endedAt ?? run.startedAt ?? run.queuedAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}
