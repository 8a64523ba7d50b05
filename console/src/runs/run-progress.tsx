/** The stage and progress of a running sync. */
import { runStageText } from '@patch/contract/run-message-text.ts';
import type { Run } from '@patch/contract/sync-endpoints.ts';
import styles from './run-progress.module.css';
import { describeProgress, getProgressPercent } from './run-text.ts';

export function RunProgress({ run, label }: { readonly run: Run; readonly label: string }) {
  const share = getProgressPercent(run);
  const queued = run.state === 'queued';
  const stageText = run.stage === null ? 'Starting' : runStageText(run.stage);
  const stage = queued ? 'Waiting for its turn' : stageText;
  return (
    <div className={styles['progress']}>
      <div
        className={styles['bar']}
        role="progressbar"
        aria-label={`Sync of ${label}`}
        aria-valuetext={`${stage} ${describeProgress(run)}`.trim()}
        {...(share === null
          ? {}
          : { 'aria-valuenow': share, 'aria-valuemin': 0, 'aria-valuemax': 100 })}
        data-unknown={(share === null && !queued) || undefined}
      >
        <div
          className={styles['fill']}
          style={{ inlineSize: share === null ? undefined : `${share}%` }}
        />
      </div>
      <p className={styles['words']} data-retrying={run.stage?.code === 'retrying' || undefined}>
        <span className={styles['stage']}>{stage}</span>
        <span className="figures">{describeProgress(run)}</span>
      </p>
    </div>
  );
}
