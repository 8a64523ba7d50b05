/** The state of a source as word, icon and colour, for the sync screen and the history. */
import type { Run, RunState, SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import type { ColourName } from '../theme/tokens.ts';
import { formatNumber } from '../widgets/format-number.ts';

export type ShownState = RunState | 'never' | 'unavailable' | 'disabled';
export type StateIcon =
  | 'tick'
  | 'warning'
  | 'cross'
  | 'turning'
  | 'clock'
  | 'stop'
  | 'broken'
  | 'dash';

export interface StateLook {
  readonly word: string;
  readonly colour: ColourName;
  readonly icon: StateIcon;
}

export const stateLooks: Readonly<Record<ShownState, StateLook>> = {
  never: { word: 'Never synced', colour: 'textQuiet', icon: 'dash' },
  unavailable: { word: 'No feed yet', colour: 'textQuiet', icon: 'dash' },
  disabled: { word: 'Disabled', colour: 'textQuiet', icon: 'stop' },
  queued: { word: 'Queued', colour: 'warning', icon: 'clock' },
  running: { word: 'Running', colour: 'warning', icon: 'turning' },
  succeeded: { word: 'Succeeded', colour: 'success', icon: 'tick' },
  succeeded_with_warnings: { word: 'Succeeded with warnings', colour: 'warning', icon: 'warning' },
  failed: { word: 'Failed', colour: 'danger', icon: 'cross' },
  cancelled: { word: 'Cancelled', colour: 'textQuiet', icon: 'stop' },
  interrupted: { word: 'Interrupted', colour: 'danger', icon: 'broken' },
};

export function toShownState({
  available,
  enabled,
  run,
}: Pick<SourceState, 'available' | 'enabled' | 'run'>): ShownState {
  if (!available) return 'unavailable';
  if (!enabled && run?.state !== 'running' && run?.state !== 'queued') return 'disabled';
  return run?.state ?? 'never';
}

/** Returns why no sync can be started now, or null. */
export function getStartBlockedReason({
  label,
  enabled,
  run,
}: Pick<SourceState, 'label' | 'enabled' | 'run'>): string | null {
  if (run?.state === 'running' || run?.state === 'queued')
    return `A sync of ${label} is already ${run.state === 'queued' ? 'queued' : 'running'}, started ${describeInitiator(run)}.`;
  return enabled ? null : `${label} is disabled in its settings.`;
}

export const describeInitiator = ({ startedBy }: Pick<Run, 'startedBy'>): string =>
  startedBy === 'schedule' ? 'by schedule' : `by ${startedBy}`;

const megabyte = 1_048_576;

/** Describes the progress of a run. Runs count bytes while reading and records while writing; large totals while reading are shown in megabytes. */
export function describeProgress({
  stage,
  done,
  total,
}: Pick<Run, 'stage' | 'done' | 'total'>): string {
  if (done === 0 && total === 0) return '';
  const isReading = ['fetching', 'reading', 'retrying'].includes(stage?.code ?? '');
  const inBytes = isReading && Math.max(done, total) > 100_000;
  const amount = (value: number) =>
    inBytes
      ? `${(value / megabyte).toFixed(value < 100 * megabyte ? 1 : 0)} MB`
      : formatNumber(value);
  return total === 0 ? amount(done) : `${amount(done)} of ${amount(total)}`;
}

/** Returns the progress from 0 to 100, or null while the total is unknown. */
export function getProgressPercent({ done, total }: Pick<Run, 'done' | 'total'>): number | null {
  return total <= 0 ? null : Math.min(100, Math.floor((done / total) * 100));
}
