/** One source: what it is, how it stands, what its last run did, when the next comes, and what may be done. A card on a narrow screen. */

import {
  CloseOutlined,
  HistoryOutlined,
  SettingOutlined,
  SyncOutlined,
} from '@ant-design/icons-svg';
import type { HeldContent, HeldWithdrawal, SourceState } from '@patch/contract/sync-endpoints.ts';
import { isUnderWay } from '../../api/use-sources.ts';
import { FreshnessWord } from '../../releases/freshness-word.tsx';
import { ReleaseFacts } from '../../releases/release-facts.tsx';
import { isStripDrawn, ReleaseStrip, StripAxis } from '../../releases/release-strip.tsx';
import { shownState, whyNoStart } from '../../runs/run-words.ts';
import { StateWord } from '../../runs/state-word.tsx';
import { Button } from '../../widgets/button.tsx';
import { confirm } from '../../widgets/confirm-modal.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { SourceMark } from '../../widgets/vendor-mark.tsx';
import { ChangeCounts } from './change-counts.tsx';
import { type ContentDecision, HeldContents } from './held-content.tsx';
import { type HeldDecision, HeldWithdrawals } from './held-withdrawals.tsx';
import { RunProgress } from './run-progress.tsx';
import { LastRun, ListsOf, NextRun, StateNote } from './source-facts.tsx';
import styles from './source-row.module.css';

export interface SourceRowProps {
  readonly state: SourceState;
  readonly mayAct: boolean;
  /** The start, or a decision that starts one, was asked for and is not answered yet. */
  readonly asked: boolean;
  readonly onStart: () => void;
  readonly onCancel: () => void;
  readonly onHistory: () => void;
  readonly onSettings: () => void;
  readonly onDecide: (held: HeldWithdrawal, decision: HeldDecision) => void;
  readonly onDecideContent: (held: HeldContent, decision: ContentDecision) => void;
}

export function SourceRow({
  state,
  mayAct,
  asked,
  onStart,
  onCancel,
  onHistory,
  onSettings,
  onDecide,
  onDecideContent,
}: SourceRowProps) {
  const { source, label, available, run } = state;
  const underWay = isUnderWay(state);
  const why = whyNoStart(state);
  const headingId = `source-${source}`;
  return (
    <li
      className={styles['row']}
      aria-labelledby={headingId}
      data-unavailable={!available || undefined}
    >
      <div className={styles['source']}>
        <SourceMark of={source} size={32} />
        <div className={styles['names']}>
          <h2 id={headingId} className={styles['name']}>
            {state.homepage === null ? (
              label
            ) : (
              <a
                href={state.homepage}
                target="_blank"
                rel="noreferrer"
                title={`${label}'s publication, in a new tab`}
              >
                {label}
              </a>
            )}
          </h2>
          <ListsOf state={state} />
        </div>
      </div>
      <div className={styles['state']}>
        <StateWord state={shownState(state)} />
        <StateNote state={state} />
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
          <div className={styles['actions']}>
            {mayAct && underWay ? (
              <Button
                small
                icon={<Icon of={CloseOutlined} />}
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
              <Button
                small
                icon={<Icon of={SyncOutlined} />}
                loading={asked}
                disabled={why !== null}
                title={why ?? ''}
                onClick={onStart}
                aria-label={`Sync ${label}`}
              >
                Sync
              </Button>
            ) : null}
            <Button
              small
              look="quiet"
              icon={<Icon of={HistoryOutlined} />}
              onClick={onHistory}
              aria-label={`History of ${label}`}
              title={run === null ? `${label} has not been synced yet` : 'History'}
              disabled={run === null}
            >
              <span className={styles['action']}>History</span>
            </Button>
            {mayAct ? (
              <Button
                small
                look="quiet"
                icon={<Icon of={SettingOutlined} />}
                onClick={onSettings}
                aria-label={`Settings of ${label}`}
                title="Settings"
              >
                <span className={styles['action']}>Settings</span>
              </Button>
            ) : null}
          </div>
        </>
      ) : null}
      {available ? (
        <div className={styles['releases']}>
          <div className={styles['evidence']}>
            <FreshnessWord state={state} />
            <ReleaseFacts state={state} />
          </div>
          <div>
            <ReleaseStrip state={state} />
            {isStripDrawn(state) ? <StripAxis /> : null}
          </div>
        </div>
      ) : null}
      {run !== null && underWay ? <RunProgress run={run} label={label} /> : null}
      {state.held.length === 0 ? null : (
        <HeldWithdrawals state={state} mayAct={mayAct} asked={asked} onDecide={onDecide} />
      )}
      {state.heldContent.length === 0 ? null : (
        <HeldContents state={state} mayAct={mayAct} asked={asked} onDecide={onDecideContent} />
      )}
    </li>
  );
}
