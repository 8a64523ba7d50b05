/** One source: what it is, how it stands, what its last run did, when the next comes, and what may be done. A card on a narrow screen. */
import { CloseOutlined, HistoryOutlined, SyncOutlined } from '@ant-design/icons';
import type { SourceState } from '@patch/contract/sync-calls.ts';
import { Button } from 'antd';
import { isUnderWay } from '../../api/use-sources.ts';
import { confirm } from '../../widgets/confirm-modal.tsx';
import { SourceMark } from '../../widgets/vendor-mark.tsx';
import { ChangeCounts } from './change-counts.tsx';
import { RunProgress } from './run-progress.tsx';
import { shownState } from './run-words.ts';
import { LastRun, ListsOf, NextRun, StateNote } from './source-facts.tsx';
import styles from './source-row.module.css';
import { StateWord } from './state-word.tsx';

export interface SourceRowProps {
  readonly state: SourceState;
  readonly mayAct: boolean;
  /** The start was asked for and is not answered yet. */
  readonly asked: boolean;
  readonly onStart: () => void;
  readonly onCancel: () => void;
  readonly onHistory: () => void;
}

export function SourceRow({ state, mayAct, asked, onStart, onCancel, onHistory }: SourceRowProps) {
  const { source, label, available, run } = state;
  const underWay = isUnderWay(state);
  const headingId = `source-${source}`;
  return (
    <li className={styles['row']} aria-labelledby={headingId} data-unavailable={!available || undefined}>
      <div className={styles['source']}>
        <SourceMark of={source} size={32} />
        <div className={styles['names']}>
          <h2 id={headingId} className={styles['name']}>
            {state.homepage === null ? (
              label
            ) : (
              <a href={state.homepage} target="_blank" rel="noreferrer" title={`${label}'s publication, in a new tab`}>
                {label}
              </a>
            )}
          </h2>
          <ListsOf state={state} />
        </div>
      </div>
      <div className={styles['state']}>
        <StateWord state={shownState(available, run)} />
        <StateNote state={state} />
      </div>
      {available ? (
        <>
          <LastRun state={state} />
          <div className={styles['fact']} data-label="Records">
            {run === null || underWay ? <span className={styles['quiet']}>–</span> : <ChangeCounts run={run} />}
          </div>
          <NextRun state={state} />
          <div className={styles['actions']}>
            {mayAct && underWay ? (
              <Button
                size="small"
                icon={<CloseOutlined aria-hidden />}
                aria-label={`Cancel the sync of ${label}`}
                onClick={() =>
                  void confirm({
                    title: `Cancel the sync of ${label}?`,
                    body: 'What it has written so far stays; the rest waits for the next sync.',
                    danger: true,
                    yes: 'Cancel the sync',
                    no: 'Let it run',
                  }).then(onCancel, () => undefined)
                }
              >
                Cancel
              </Button>
            ) : mayAct ? (
              <Button size="small" icon={<SyncOutlined aria-hidden />} loading={asked} onClick={onStart} aria-label={`Sync ${label}`}>
                Sync
              </Button>
            ) : null}
            <Button
              size="small"
              type="text"
              icon={<HistoryOutlined aria-hidden />}
              onClick={onHistory}
              aria-label={`History of ${label}`}
              disabled={run === null}
            >
              History
            </Button>
          </div>
        </>
      ) : null}
      {run !== null && underWay ? <RunProgress run={run} label={label} /> : null}
    </li>
  );
}
