/** Summarises the states of all sources for the header. */

import type { QuarantineEntry } from '@patch/contract/sources/quarantine-entry.ts';
import type { RunMessage, RunStage } from '@patch/contract/sources/run-message.ts';
import { freshnessText, getFreshness } from '@patch/contract/sources/source-freshness.ts';
import type { Run, SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { isUnderWay } from '../api/use-sources.ts';
import { formatNumber } from '../widgets/format-number.ts';
import { absoluteTime, agoText } from '../widgets/time-text.ts';

export type PillTone =
  | 'running'
  | 'failed'
  | 'quarantine'
  | 'concern'
  | 'synced'
  | 'past'
  | 'never';

export interface Pill {
  readonly tone: PillTone;
  readonly words: string;
  /** Text of the tooltip. */
  readonly explanation: string;
}

/** Milliseconds. A success is shown in green for this long. */
const freshMs = 10 * 60_000;

/** Functions that describe runs. They load separately, because the texts are large and rarely needed here. */
export interface RunTexts {
  readonly runStageText: (stage: RunStage) => string;
  readonly runMessageText: (message: RunMessage) => string;
}

const describeStage = (run: Run | null, words: RunTexts | undefined) =>
  run === null || run.stage === null ? 'queued' : (words?.runStageText(run.stage) ?? 'running');
const describeEnd = (run: Run | null, words: RunTexts | undefined) =>
  run === null || run.message === null ? '' : (words?.runMessageText(run.message) ?? '');

interface PillContext {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly zone: string;
  /** Undefined until loaded; the explanation is shorter then. */
  readonly runTexts: RunTexts | undefined;
}

export function summariseSourceStatus(
  sources: readonly SourceState[],
  { now, zone, runTexts }: PillContext,
): Pill {
  const running = sources.filter(isUnderWay);
  const [onlyOne] = running;
  if (onlyOne !== undefined) {
    const words =
      running.length === 1 ? `Syncing ${onlyOne.label}` : `Syncing ${running.length} sources`;
    return {
      tone: 'running',
      words,
      explanation: running
        .map(({ label, run }) => `${label}: ${describeStage(run, runTexts)}`)
        .join('; '),
    };
  }
  // Disabled sources do not affect the state.
  const enabled = sources.filter((state) => state.enabled);
  const failed = enabled.filter(
    ({ run }) => run?.state === 'failed' || run?.state === 'interrupted',
  );
  const [firstFailed] = failed;
  if (firstFailed !== undefined) {
    const words =
      failed.length === 1 ? `${firstFailed.label} failed` : `${failed.length} syncs failed`;
    return {
      tone: 'failed',
      words,
      explanation: `${firstFailed.label}: ${describeEnd(firstFailed.run, runTexts)} Open the sync screen to try again.`,
    };
  }
  const quarantined = enabled.filter(({ quarantine }) => quarantine.length > 0);
  const [firstQuarantined] = quarantined;
  if (firstQuarantined !== undefined) {
    const words =
      quarantined.length === 1
        ? `${firstQuarantined.label} needs a decision`
        : `${quarantined.length} sources need a decision`;
    const lines = quarantined.map((state) => `${state.label}: ${describeQuarantine(state)}`);
    return {
      tone: 'quarantine',
      words,
      explanation: `${lines.join('; ')}. Open the sync screen to decide.`,
    };
  }
  const newest = sources
    .filter((state) => state.lastSuccessAt !== null)
    .sort((a, b) => (b.lastSuccessAt ?? 0) - (a.lastSuccessAt ?? 0))[0];
  const at = newest?.lastSuccessAt ?? null;
  if (newest === undefined || at === null)
    return { tone: 'never', words: 'Never synced', explanation: 'No source has been synced yet.' };
  const by = newest.run?.startedBy === 'schedule' ? 'by schedule' : 'by hand';
  const explanation = `${newest.label}, ${by}: ${absoluteTime(at, zone)} (${zone})`;
  const synced = `Synced ${agoText(at, now)}`;
  const concerns = enabled.filter((state) =>
    ['silent', 'stale'].includes(getFreshness(state, now)),
  );
  if (concerns.length > 0) {
    const lines = concerns.map((state) => `${state.label}: ${freshnessText(state, now)}`);
    return {
      tone: 'concern',
      words: `${synced}, ${concerns.length} not fresh`,
      explanation: [explanation, ...lines].join('; '),
    };
  }
  return { tone: now - at < freshMs ? 'synced' : 'past', words: synced, explanation };
}

/** Returns for example '860 records are no longer listed, 40 records would lose content'. */
function describeQuarantine({ quarantine }: SourceState): string {
  const sumRecords = (of: QuarantineEntry['reason']) =>
    quarantine.reduce((sum, { reason, records }) => sum + (reason === of ? records : 0), 0);
  const [missing, changed] = [sumRecords('records_missing'), sumRecords('content_lost')];
  return [
    ...(missing > 0
      ? [`${formatNumber(missing)} ${missing === 1 ? 'record is' : 'records are'} no longer listed`]
      : []),
    ...(changed > 0
      ? [`${formatNumber(changed)} ${changed === 1 ? 'record' : 'records'} would lose content`]
      : []),
  ].join(', ');
}
