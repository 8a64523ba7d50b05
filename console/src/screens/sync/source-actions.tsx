/** The buttons of a source's row: sync or cancel, history and settings. */
import {
  CloseOutlined,
  HistoryOutlined,
  SettingOutlined,
  SyncOutlined,
} from '@ant-design/icons-svg';
import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { isUnderWay } from '../../api/use-sources.ts';
import { getStartBlockedReason } from '../../runs/run-text.ts';
import { Button } from '../../widgets/button.tsx';
import { Icon } from '../../widgets/icon.tsx';
import { useConfirmedAction } from '../../widgets/use-confirmed-action.ts';
import styles from './source-row.module.css';

export interface SourceActionsProps {
  readonly state: SourceState;
  readonly mayAct: boolean;
  /** A start, or a decision that starts a sync, was sent and its reply is pending. */
  readonly isStartPending: boolean;
  readonly onStart: () => void;
  readonly onCancel: () => void;
  readonly onHistory: () => void;
  readonly onSettings: () => void;
}

export function SourceActions(props: SourceActionsProps) {
  const { state, mayAct, onHistory, onSettings } = props;
  const { label, run } = state;
  return (
    <div className={styles['actions']}>
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
