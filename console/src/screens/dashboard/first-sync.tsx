import type { SourceKey } from '@patch/catalogue/sources.ts';
import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isUnderWay } from '../../api/use-sources.ts';
import { RunProgress } from '../../runs/run-progress.tsx';
import { useStartSync } from '../../runs/use-start-sync.ts';
import { Button } from '../../widgets/button.tsx';
import { CheckBox } from '../../widgets/check-box.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import { syncPath } from '../../widgets/list-paths.ts';
import styles from './first-steps.module.css';

interface FirstSyncProps {
  readonly sources: readonly SourceState[];
  /** Sources that were synced successfully. */
  readonly synced: number;
}

/** Syncs all sources or the chosen ones. All are chosen at first. */
export function FirstSync({ sources, synced }: FirstSyncProps) {
  const { startAll, startingAll } = useStartSync();
  const [omitted, setOmitted] = useState<ReadonlySet<SourceKey>>(new Set());
  const running = sources.filter(isUnderWay);
  const ended = sources.filter(({ run }) => run !== null && run.endedAt !== null);
  const chosen = sources.filter(({ source }) => !omitted.has(source));
  const toggle = (source: SourceKey) =>
    setOmitted((before) => {
      const next = new Set(before);
      if (!next.delete(source)) next.add(source);
      return next;
    });
  if (running.length > 0 || ended.length > 0)
    return (
      <ul className={styles['runs']} aria-label="Progress of the first sync">
        {sources.flatMap(({ source, label, run, lists }) =>
          run === null
            ? []
            : [
                <li key={source} className={styles['run']}>
                  <strong>{label}</strong>
                  {run.endedAt === null ? (
                    <RunProgress run={run} label={label} />
                  ) : (
                    <span className={styles['words']}>{describeEnd(run.state, lists)}</span>
                  )}
                </li>,
              ],
        )}
      </ul>
    );
  if (synced > 0)
    return (
      <p className={styles['words']}>
        {formatNumber(synced)} of {formatNumber(sources.length)} sources are synced.{' '}
        {synced < sources.length && <Link to={syncPath}>Sync the others</Link>}
      </p>
    );
  return (
    <>
      <p className={styles['words']}>
        The first sync fetches each vendor’s complete catalogue, in a few minutes for each source.
        The risk sources say which vulnerabilities are exploited.
      </p>
      <fieldset className={styles['families']}>
        <legend className="visually-hidden">Sources to sync</legend>
        {sources.map(({ source, label }) => (
          <CheckBox
            key={source}
            name={source}
            checked={!omitted.has(source)}
            onChange={() => toggle(source)}
          >
            {label}
          </CheckBox>
        ))}
      </fieldset>
      <Button
        look="primary"
        loading={startingAll}
        disabled={chosen.length === 0}
        onClick={() => void startAll(chosen.map(({ source }) => source))}
      >
        {chosen.length === sources.length
          ? 'Sync all'
          : `Sync ${chosen.length} of ${sources.length}`}
      </Button>
    </>
  );
}

type Ended = Pick<SourceState, 'lists'> & { readonly state: string };

function describeEnd(state: Ended['state'], lists: Ended['lists']): string {
  if (!state.startsWith('succeeded')) return 'Failed: see Sync for the reason';
  const rows = lists.reduce((sum, list) => sum + list.rows, 0);
  return rows === 0 ? 'Synced' : `${formatNumber(rows)} records`;
}
