/** All sources' states in a few words for the header. */

import type { QuarantineEntry } from '@patch/contract/quarantine-entry.ts';
import type { RunMessage, RunStage } from '@patch/contract/run-message.ts';
import { freshnessOf, freshnessText } from '@patch/contract/source-freshness.ts';
import type { Run, SourceState } from '@patch/contract/sync-endpoints.ts';
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
  /** For the tooltip. */
  readonly explained: string;
}

/** How long a success stays green before it is merely past. */
const greenFor = 10 * 60_000;

/** What runs say in words. Fetched apart: the words of all messages are many, and seldom needed here. */
export interface RunWords {
  readonly runStageText: (stage: RunStage) => string;
  readonly runMessageText: (message: RunMessage) => string;
}

const stageWords = (run: Run | null, words: RunWords | undefined) =>
  run === null || run.stage === null ? 'queued' : (words?.runStageText(run.stage) ?? 'running');
const endWords = (run: Run | null, words: RunWords | undefined) =>
  run === null || run.message === null ? '' : (words?.runMessageText(run.message) ?? '');

interface PillContext {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly zone: string;
  /** Undefined while they are not fetched: then the explanation is shorter. */
  readonly runWords: RunWords | undefined;
}

export function sourceStatusSummary(
  sources: readonly SourceState[],
  { now, zone, runWords }: PillContext,
): Pill {
  const running = sources.filter(isUnderWay);
  const [onlyOne] = running;
  if (onlyOne !== undefined) {
    const words =
      running.length === 1 ? `Syncing ${onlyOne.label}` : `Syncing ${running.length} sources`;
    return {
      tone: 'running',
      words,
      explained: running
        .map(({ label, run }) => `${label}: ${stageWords(run, runWords)}`)
        .join('; '),
    };
  }
  // One that was switched off is left as it is on purpose.
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
      explained: `${firstFailed.label}: ${endWords(firstFailed.run, runWords)} Open the sync screen to try again.`,
    };
  }
  const quarantined = enabled.filter(({ quarantine }) => quarantine.length > 0);
  const [firstQuarantined] = quarantined;
  if (firstQuarantined !== undefined) {
    const words =
      quarantined.length === 1
        ? `${firstQuarantined.label} needs a decision`
        : `${quarantined.length} sources need a decision`;
    const lines = quarantined.map((state) => `${state.label}: ${quarantineText(state)}`);
    return {
      tone: 'quarantine',
      words,
      explained: `${lines.join('; ')}. Open the sync screen to decide.`,
    };
  }
  const newest = sources
    .filter((state) => state.lastSuccessAt !== null)
    .sort((a, b) => (b.lastSuccessAt ?? 0) - (a.lastSuccessAt ?? 0))[0];
  const at = newest?.lastSuccessAt ?? null;
  if (newest === undefined || at === null)
    return { tone: 'never', words: 'Never synced', explained: 'No source has been synced yet.' };
  const by = newest.run?.startedBy === 'schedule' ? 'by schedule' : 'by hand';
  const explained = `${newest.label}, ${by}: ${absoluteTime(at, zone)} (${zone})`;
  const synced = `Synced ${agoText(at, now)}`;
  const concerns = enabled.filter((state) => ['silent', 'stale'].includes(freshnessOf(state, now)));
  if (concerns.length > 0) {
    const lines = concerns.map((state) => `${state.label}: ${freshnessText(state, now)}`);
    return {
      tone: 'concern',
      words: `${synced}, ${concerns.length} not fresh`,
      explained: [explained, ...lines].join('; '),
    };
  }
  return { tone: now - at < greenFor ? 'synced' : 'past', words: synced, explained };
}

/** '860 records are no longer listed, 40 records would lose content' */
function quarantineText({ quarantine }: SourceState): string {
  const countOf = (of: QuarantineEntry['reason']) =>
    quarantine.reduce((sum, { reason, records }) => sum + (reason === of ? records : 0), 0);
  const [missing, changed] = [countOf('records_missing'), countOf('content_lost')];
  return [
    ...(missing > 0
      ? [`${formatNumber(missing)} ${missing === 1 ? 'record is' : 'records are'} no longer listed`]
      : []),
    ...(changed > 0
      ? [`${formatNumber(changed)} ${changed === 1 ? 'record' : 'records'} would lose content`]
      : []),
  ].join(', ');
}
