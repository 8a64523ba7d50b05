/** Determines the state, message and warnings with which a run ends. */
import type { AnyPart } from '@patch/catalogue/definition/feed.ts';
import type { PartFailure, RunMessage, RunMirror } from '@patch/contract/sources/run-message.ts';
import { partParams } from './part-params.ts';
import type { RunEnd } from './run-store.ts';
import type { RunningRun, RunStopped } from './running-run.ts';

export type PartOutcome = { readonly part: AnyPart } & (
  | { readonly kind: 'read'; readonly entries: number }
  | { readonly kind: 'unchanged'; readonly documents: number }
  /** The part is not published and was never read. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly cause: PartFailure }
);

/** Maximum of parts that a message lists. Of more parts it lists the first two. */
const maxLabels = 3;

export function createRunEnd(
  running: RunningRun,
  outcomes: readonly PartOutcome[],
  stopped: RunStopped | null,
): RunEnd {
  const { counts } = running;
  const failures = outcomes.filter((outcome) => outcome.kind === 'failed');
  const good = outcomes.some(({ kind }) => kind === 'read' || kind === 'unchanged');
  for (const { part, cause } of failures)
    if (good || stopped !== null)
      running.warn({ code: 'part_failed', params: { ...partParams(part), cause } });
  const end = { ...counts, warnings: running.warnings };
  if (stopped !== null) return { ...end, state: stopped.state, message: stopped.why };
  if (!good) return { ...end, state: 'failed', message: failureMessage(outcomes, failures) };
  const isPlain = running.warnings.length === 0 && counts.rejected === 0;
  const state = isPlain ? 'succeeded' : 'succeeded_with_warnings';
  return { ...end, state, message: successMessage(running, outcomes) };
}

const aboutDocuments: readonly PartFailure['code'][] = [
  'not_fetched',
  'not_published',
  'unreadable',
];

/** Adds the mirror to the message of a run that failed because of its documents. */
export function addMirror(end: RunEnd, mirror: RunMirror | null): RunEnd {
  const { message } = end;
  if (mirror === null) return end;
  if (message.code === 'nothing_available')
    return { ...end, message: { ...message, params: { ...message.params, mirror } } };
  if (message.code !== 'failed' || !aboutDocuments.includes(message.params.cause.code)) return end;
  return { ...end, message: { ...message, params: { ...message.params, mirror } } };
}

function successMessage(
  { counts, stillRejected }: RunningRun,
  outcomes: readonly PartOutcome[],
): RunMessage {
  const { added, changed, withdrawn, rejected } = counts;
  const read = outcomes.filter((outcome) => outcome.kind === 'read');
  return {
    code: 'synced',
    params: {
      added,
      changed,
      withdrawn,
      unchangedDocuments: outcomes.reduce(
        (sum, outcome) => (outcome.kind === 'unchanged' ? sum + outcome.documents : sum),
        0,
      ),
      recordsRead: read.length === 0 ? null : read.reduce((sum, { entries }) => sum + entries, 0),
      rejected,
      stillRejected,
      unavailable: getLabels(outcomes, 'absent'),
      failed: getLabels(outcomes, 'failed'),
    },
  };
}

function getLabels(outcomes: readonly PartOutcome[], wantedKind: PartOutcome['kind']) {
  const labels = outcomes.filter(({ kind }) => kind === wantedKind).map(({ part }) => part.label);
  const total = labels.length;
  return { first: total <= maxLabels ? labels : labels.slice(0, maxLabels - 1), total };
}

function failureMessage(
  outcomes: readonly PartOutcome[],
  failures: readonly { readonly part: AnyPart; readonly cause: PartFailure }[],
): RunMessage {
  if (outcomes.length === 0) return { code: 'nothing_followed', params: {} };
  const [first] = failures;
  if (first === undefined)
    return {
      code: 'nothing_available',
      params: { partLabels: outcomes.map(({ part }) => part.label) },
    };
  return {
    code: 'failed',
    params: {
      ...partParams(first.part),
      parts: outcomes.length,
      failures: failures.length,
      cause: first.cause,
    },
  };
}
