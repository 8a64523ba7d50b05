/** A source with its name, state, last run, next run and actions. A card on a narrow screen. */

import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { isUnderWay } from '../../api/use-sources.ts';
import { RunProgress } from '../../runs/run-progress.tsx';
import { SourceWord } from '../../runs/source-word.tsx';
import { SourceMark } from '../../widgets/vendor-mark.tsx';
import { ChangeCounts } from './change-counts.tsx';
import { QuarantinePanel, type QuarantinePanelProps } from './quarantine-panel.tsx';
import { SourceActions, type SourceActionsProps } from './source-actions.tsx';
import { LastRun, ListLinks, NextRun, StateNote } from './source-facts.tsx';
import styles from './source-row.module.css';

export type SourceRowProps = SourceActionsProps & Pick<QuarantinePanelProps, 'onDecide'>;

export function SourceRow({ onDecide, ...actions }: SourceRowProps) {
  const { state, mayAct, isStartPending } = actions;
  const { source, label, available, run } = state;
  const underWay = isUnderWay(state);
  const headingId = `source-${source}`;
  return (
    <li
      className={styles['row']}
      aria-labelledby={headingId}
      data-unavailable={!available || undefined}
    >
      <SourceName state={state} headingId={headingId} />
      <div className={styles['state']}>
        <SourceWord state={state} />
        <StateNote state={state} mayAct={mayAct} />
      </div>
      {available ? (
        <>
          <LastRun state={state} />
          <div className={styles['fact']} data-label="Records">
            {run === null || underWay ? (
              <span className={styles['quiet']}>–</span>
            ) : (
              <ChangeCounts run={run} linked />
            )}
          </div>
          <NextRun state={state} />
          <SourceActions {...actions} />
        </>
      ) : null}
      {run !== null && underWay ? <RunProgress run={run} label={label} /> : null}
      {state.quarantine.length === 0 ? null : (
        <QuarantinePanel
          state={state}
          mayAct={mayAct}
          isSent={isStartPending}
          onDecide={onDecide}
        />
      )}
    </li>
  );
}

interface SourceNameProps {
  readonly state: SourceState;
  readonly headingId: string;
}

/** The label, linked to the vendor's publication, and the lists. */
function SourceName({ state, headingId }: SourceNameProps) {
  const { source, label, homepage } = state;
  return (
    <div className={styles['source']}>
      <SourceMark of={source} size={32} />
      <div className={styles['names']}>
        <h2 id={headingId} className={styles['name']}>
          {homepage === null ? (
            label
          ) : (
            <a
              href={homepage}
              target="_blank"
              rel="noreferrer"
              title={`${label}'s publication, in a new tab`}
            >
              {label}
            </a>
          )}
        </h2>
        <ListLinks state={state} />
      </div>
    </div>
  );
}
