/** A source with its name, state, last run, next run and actions. A card on a narrow screen. */

import {
  CloseOutlined,
  HistoryOutlined,
  SettingOutlined,
  SyncOutlined,
} from '@ant-design/icons-svg';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { isUnderWay } from '../../api/use-sources.ts';
import { RunProgress } from '../../runs/run-progress.tsx';
import { getStartBlockedReason } from '../../runs/run-text.ts';
import { SourceWord } from '../../runs/state-word.tsx';
import { Button } from '../../widgets/button.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { useConfirmedAction } from '../../widgets/use-confirmed-action.ts';
import { SourceMark } from '../../widgets/vendor-mark.tsx';
import { ChangeCounts } from './change-counts.tsx';
import { QuarantinePanel, type QuarantinePanelProps } from './quarantine-panel.tsx';
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
      className={`${styles['row']} grid items-start gap-y-3 gap-x-4 py-2 px-4 text-dense leading-row`}
      aria-labelledby={headingId}
      data-unavailable={!available || undefined}
    >
      <SourceName state={state} headingId={headingId} />
      <div className={`${styles['state']} min-w-0`}>
        <SourceWord state={state} />
        <StateNote state={state} mayAct={mayAct} />
      </div>
      {available ? (
        <>
          <LastRun state={state} />
          <div className={`${styles['fact']} min-w-0`} data-label="Records">
            {run === null || underWay ? (
              <span className="text-quiet text-small">–</span>
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
    <div className={`${styles['source']} flex gap-3 min-w-0`}>
      <SourceMark of={source} size={32} />
      <div className="min-w-0">
        <h2 id={headingId} className="text-body font-600">
          {homepage === null ? (
            label
          ) : (
            <a
              className="text-inherit"
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

/** The buttons of a source's row: sync or cancel, history and settings. */
interface SourceActionsProps {
  readonly state: SourceState;
  readonly mayAct: boolean;
  /** A start, or a decision that starts a sync, was sent and its reply is pending. */
  readonly isStartPending: boolean;
  readonly onStart: () => void;
  readonly onCancel: () => void;
  readonly onHistory: () => void;
  readonly onSettings: () => void;
}

function SourceActions(props: SourceActionsProps) {
  const { state, mayAct, onHistory, onSettings } = props;
  const { label, run } = state;
  return (
    <div className={`${styles['actions']} flex justify-end gap-1`}>
      {!mayAct ? null : isUnderWay(state) ? (
        <CancelButton {...props} />
      ) : (
        <StartButton {...props} />
      )}
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
  );
}

function StartButton({
  state,
  isStartPending,
  onStart,
}: Pick<SourceActionsProps, 'state' | 'isStartPending' | 'onStart'>) {
  const blockedReason = getStartBlockedReason(state);
  return (
    <Button
      small
      icon={<Icon of={SyncOutlined} />}
      loading={isStartPending}
      disabled={blockedReason !== null}
      title={blockedReason ?? ''}
      onClick={onStart}
      aria-label={`Sync ${state.label}`}
    >
      Sync
    </Button>
  );
}

function CancelButton({
  state: { label },
  onCancel,
}: Pick<SourceActionsProps, 'state' | 'onCancel'>) {
  const cancel = useConfirmedAction({
    question: () => ({
      title: `Cancel the sync of ${label}?`,
      body: 'Records written so far stay. The next sync continues with the rest.',
      danger: true,
      yes: 'Cancel the sync',
      no: 'Let it run',
    }),
    run: onCancel,
  });
  return (
    <Button
      small
      icon={<Icon of={CloseOutlined} />}
      aria-label={`Cancel the sync of ${label}`}
      onClick={() => void cancel()}
    >
      Cancel
    </Button>
  );
}
