/** How a run ended, in words: its state, one sentence or two, and the warnings beside them. */
import type { Part } from '@patch/catalogue/definition/feed.ts';
import { count } from './fetch-failed.ts';
import type { RunEnd } from './run-store.ts';
import type { RunningRun, RunStopped } from './running-run.ts';

export type PartOutcome = { readonly part: Part } & (
  | { readonly kind: 'read'; readonly entries: number }
  | { readonly kind: 'unchanged'; readonly documents: number }
  /** Not published, and never was as far as we know. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly reason: string }
);

export function endOfRun(
  running: RunningRun,
  outcomes: readonly PartOutcome[],
  stopped: RunStopped | null,
): RunEnd {
  const { counts } = running;
  const failures = outcomes.filter((outcome) => outcome.kind === 'failed');
  const good = outcomes.some(({ kind }) => kind === 'read' || kind === 'unchanged');
  for (const { part, reason } of failures)
    if (good || stopped !== null) running.warn(`${part.label}: ${reason}`);
  const end = { ...counts, warnings: running.warnings };
  if (stopped !== null) return { ...end, state: stopped.state, message: stopped.message };
  if (!good) return { ...end, state: 'failed', message: failureWords(outcomes, failures) };
  const state = running.warnings.length === 0 ? 'succeeded' : 'succeeded_with_warnings';
  return { ...end, state, message: successWords(running, outcomes) };
}

function successWords(
  { counts, stillRejected }: RunningRun,
  outcomes: readonly PartOutcome[],
): string {
  const read = outcomes.filter((outcome) => outcome.kind === 'read');
  const documents = outcomes.reduce(
    (sum, outcome) => (outcome.kind === 'unchanged' ? sum + outcome.documents : sum),
    0,
  );
  const entries = read.reduce((sum, outcome) => sum + outcome.entries, 0);
  const words = [];
  if (read.length === 0)
    words.push(
      `Nothing new: ${documents === 1 ? 'the document is' : `all ${count(documents)} documents are`} unchanged.`,
    );
  else if (counts.added + counts.changed + counts.withdrawn === 0) {
    const same =
      entries === 1 ? 'the record is as it was' : `all ${count(entries)} records are as they were`;
    words.push(entries === 0 ? 'Nothing new: there are no records.' : `Nothing new: ${same}.`);
  } else
    words.push(
      `Added ${records(counts.added)}, changed ${count(counts.changed)}, removed ${count(counts.withdrawn)}.`,
    );
  words.push(...rejectionWords(counts.rejected, stillRejected));
  const named = (wanted: PartOutcome['kind']) =>
    outcomes.filter(({ kind }) => kind === wanted).map(({ part }) => part.label);
  const [absent, failed] = [named('absent'), named('failed')];
  if (absent.length > 0) words.push(`${severalWords(absent)} not available at the source.`);
  if (failed.length > 0)
    words.push(`${severalWords(failed, 'could')} not be synced: see the warnings.`);
  return words.join(' ');
}

/** Those that this run has read apart from those of unchanged documents. */
function rejectionWords(all: number, still: number): string[] {
  const invalid = (number: number) =>
    `${count(number)} invalid vendor ${number === 1 ? 'record' : 'records'}`;
  if (still === 0) return all === 0 ? [] : [`Skipped ${invalid(all)}.`];
  const [verb, more] = [still === 1 ? 'is' : 'are', all === still ? '' : ' more'];
  return [
    ...(all > still ? [`Skipped ${invalid(all - still)}.`] : []),
    `${invalid(still).replace(' ', `${more} `)} ${verb} still skipped.`,
  ];
}

/** Few are named; of many, so that the sentence stays one, only how many they are and which come first. */
function severalWords(
  labels: readonly string[],
  verb = labels.length === 1 ? 'is' : 'are',
): string {
  const shown = labels.length <= 3 ? labels : [...labels.slice(0, 2), `${labels.length - 2} more`];
  const last = shown.at(-1) ?? '';
  return `${shown.length === 1 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`} ${verb}`;
}

function failureWords(
  outcomes: readonly PartOutcome[],
  failures: readonly { readonly part: Part; readonly reason: string }[],
): string {
  if (outcomes.length === 0)
    return 'No part of the source is followed. Choose in its settings what to follow.';
  const [first] = failures;
  if (first === undefined) {
    const labels = outcomes.map(({ part }) => part.label).join(', ');
    return `Nothing is available at the source (${labels}). Check FEED_MIRROR, if it is set, or whether the vendor has moved.`;
  }
  const others =
    failures.length === 1 ? '' : ` ${failures.length - 1} more failed for the same reason.`;
  return `${outcomes.length === 1 ? '' : `${first.part.label}: `}${first.reason}${others}`;
}

const records = (number: number) => (number === 1 ? '1 record' : `${count(number)} records`);
