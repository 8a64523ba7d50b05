/** The stage and progress of a running sync. */
import { runStageText } from '@patch/contract/sources/run-message-text.ts';
import type { Run } from '@patch/contract/sources/sync-endpoints.ts';
import styles from './run-progress.module.css';
import { describeProgress, getProgressPercent } from './run-text.ts';

export function RunProgress({ run, label }: { readonly run: Run; readonly label: string }) {
  const share = getProgressPercent(run);
  const queued = run.state === 'queued';
  const stageText = run.stage === null ? 'Starting' : runStageText(run.stage);
  const stage = queued ? 'Waiting for its turn' : stageText;
  return (
    <div className="grid grid-cols-1 col-span-full gap-1 min-w-0">
      <ProgressBar
        label={`Sync of ${label}`}
        words={`${stage} ${describeProgress(run)}`.trim()}
        share={share}
        isUnknown={share === null && !queued}
      />
      <p
        className={`${styles['words']} flex justify-between gap-4 text-quiet text-small nowrap`}
        data-retrying={run.stage?.code === 'retrying' || undefined}
      >
        <span className={`${styles['stage']} min-w-0 overflow-hidden`}>{stage}</span>
        <span className="figures">{describeProgress(run)}</span>
      </p>
    </div>
  );
}

interface ProgressBarProps {
  readonly label: string;
  /** The stage and counts, for screen readers. */
  readonly words: string;
  /** In percent; null before the total is known. */
  readonly share: number | null;
  /** The bar moves to and fro. */
  readonly isUnknown?: boolean;
}

export function ProgressBar({ label, words, share, isUnknown = false }: ProgressBarProps) {
  return (
    <div
      className={`${styles['bar']} overflow-hidden`}
      role="progressbar"
      aria-label={label}
      aria-valuetext={words}
      {...(share !== null && { 'aria-valuenow': share, 'aria-valuemin': 0, 'aria-valuemax': 100 })}
      data-unknown={isUnknown || undefined}
    >
      <div
        className={`${styles['fill']} h-full`}
        style={share === null ? undefined : { inlineSize: `${share}%` }}
      />
    </div>
  );
}
