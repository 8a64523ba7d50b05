import type { SourceKey } from '@patch/catalogue/sources.ts';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { useState } from 'react';
import { isUnderWay } from '../../api/use-sources.ts';
import { RunProgress } from '../../runs/run-progress.tsx';
import { countSynced } from '../../runs/sources-summary.ts';
import { useStartSync } from '../../runs/use-start-sync.ts';
import { Button } from '../../widgets/button.tsx';
import { CheckBox } from '../../widgets/check-box.tsx';
import { formatCount, formatNumber, inflect } from '../../widgets/format-number.ts';
import styles from './first-steps.module.css';

interface FirstSyncProps {
  readonly sources: readonly SourceState[];
}

/** Shows the runs once a source was started, with a way to sync what is left; before, the choice of sources. */
export function FirstSync({ sources }: FirstSyncProps) {
  return sources.some(isBegun) ? (
    <FirstRuns sources={sources} />
  ) : (
    <ChooseSources sources={sources} />
  );
}

const isBegun = ({ run, lastSuccessAt }: SourceState) => run !== null || lastSuccessAt !== null;

function FirstRuns({ sources }: FirstSyncProps) {
  const { startAll, startingAll } = useStartSync();
  const left = sources.flatMap((state) =>
    isUnderWay(state) || state.lastSuccessAt !== null ? [] : [state.source],
  );
  return (
    <>
      <ul
        className={`${styles['runs']} grid gap-y-2 gap-x-6 w-full plain-list text-dense`}
        aria-label="Progress of the first sync"
      >
        {sources.filter(isBegun).map(({ source, label, run, lists }) => (
          <li key={source} className="min-w-0">
            <strong className={styles['name']}>{label}</strong>
            {run?.endedAt === null ? (
              <RunProgress run={run} label={label} />
            ) : (
              <span className="text-quiet text-dense">{describeEnd(run, lists)}</span>
            )}
          </li>
        ))}
      </ul>
      {left.length > 0 && (
        <>
          <p className="text-quiet text-dense">
            {formatNumber(countSynced(sources))} of {formatNumber(sources.length)} sources are
            synced.
          </p>
          <Button loading={startingAll} onClick={() => void startAll(left)}>
            {inflect(left.length, ['Sync the remaining source', 'Sync the remaining sources'])}
          </Button>
        </>
      )}
    </>
  );
}

/** All are chosen at first. */
function ChooseSources({ sources }: FirstSyncProps) {
  const { startAll, startingAll } = useStartSync();
  const [omitted, setOmitted] = useState<ReadonlySet<SourceKey>>(new Set());
  const chosen = sources.filter(({ source }) => !omitted.has(source));
  const toggle = (source: SourceKey) =>
    setOmitted((before) => {
      const next = new Set(before);
      if (!next.delete(source)) next.add(source);
      return next;
    });
  return (
    <>
      <p className="text-quiet text-dense">
        The first sync fetches each vendor’s complete catalogue, in a few minutes for each source.
        The risk sources say which vulnerabilities are exploited.
      </p>
      <fieldset className={`${styles['families']} grid gap-y-1 gap-x-4 w-full text-dense`}>
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

/** @param run Null where it is no longer stored, after a success. */
function describeEnd(run: SourceState['run'], lists: SourceState['lists']): string {
  if (run !== null && !run.state.startsWith('succeeded')) return 'Failed: see Sync for the reason';
  const rows = lists.reduce((sum, list) => sum + list.rows, 0);
  return rows === 0 ? 'Synced' : formatCount(rows, ['record', 'records']);
}
