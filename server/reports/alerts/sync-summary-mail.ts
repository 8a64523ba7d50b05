/** Composes the email that tells an administrator the state of the sources and the results of a day's syncs. */
import type { RunMessage } from '@patch/contract/sources/run-message.ts';
import { runMessageText } from '@patch/contract/sources/run-message-text.ts';
import {
  freshnessText,
  getFreshness,
  isConcern,
  rhythmText,
} from '@patch/contract/sources/source-freshness.ts';
import type { Run, RunState, SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import { type MailBlock, type MailEntry, mailDocument, oneLine } from './mail-document.ts';
import type { ChangeCounts, FailedRun, SourceDay } from './sync-summary-store.ts';

export interface SummaryContent {
  readonly states: readonly SourceState[];
  /** The last 24 hours by source. */
  readonly days: ReadonlyMap<string, SourceDay>;
  readonly failures: readonly FailedRun[];
  readonly now: number;
  readonly timeZone: string;
  readonly baseUrl: string | null;
  readonly installation: string;
}

const maxReasonLength = 500;
const maxFailures = 3;

const stateLabels: Readonly<Record<RunState, string>> = {
  queued: 'queued',
  running: 'running',
  succeeded: 'succeeded',
  succeeded_with_warnings: 'succeeded with warnings',
  failed: 'failed',
  cancelled: 'cancelled',
  interrupted: 'interrupted',
};

export function composeSyncSummary({
  states,
  days,
  failures,
  now,
  timeZone,
  baseUrl,
  installation,
}: SummaryContent) {
  const followed = states.filter(({ available }) => available);
  const time = timeWords(timeZone);
  const concerns = followed.filter((state) => isConcern(getFreshness(state, now)));
  const quarantined = followed.filter(({ quarantine }) => quarantine.length > 0);
  const runs = [...days.values()].reduce((sum, day) => sum + day.runs, 0);
  const page = baseUrl === null ? null : `${baseUrl}/patch-repository/sync`;
  const entries = (
    of: readonly SourceState[],
    lines: (state: SourceState) => readonly string[],
  ): MailBlock => ({
    kind: 'entries',
    entries: of.map(
      (state): MailEntry => ({
        name: state.label,
        url: page === null ? null : `${page}?source=${state.source}`,
        lines: lines(state),
      }),
    ),
  });
  const failed = followed.filter(({ source }) => failures.some((run) => run.source === source));
  const blocks: MailBlock[] = [
    {
      kind: 'words',
      words:
        runs === 0
          ? 'Nothing was synced in the last 24 hours.'
          : `In the last 24 hours ${count(runs, 'run')}: ${changes([...days.values()])}.`,
    },
    ...section('Failures', failed, (of) =>
      entries(of, ({ source }) => failureLines(failures, source, time)),
    ),
    ...section('Waiting for a decision', quarantined, (of) => entries(of, quarantineLines)),
    ...section('Sources that are not fresh', concerns, (of) =>
      entries(of, (state) => [
        freshnessText(state, now),
        lastSuccess(state.lastSuccessAt, time),
        ...newestLines(state),
      ]),
    ),
    ...section('All sources', followed, (of) =>
      entries(of, ({ source, enabled, run }) => [
        ...(enabled ? [] : ['Switched off']),
        lastRun(run, time),
        describeChanges(days.get(source)),
      ]),
    ),
    { kind: 'link', words: 'Syncs', url: page },
    {
      kind: 'words',
      words: `${installation} sends this daily because you enabled it in your account.`,
    },
  ];
  const words = [
    runs === 0 ? 'nothing was synced' : count(runs, 'run'),
    ...(failures.length > 0 ? [`${failures.length} failed`] : []),
    ...(concerns.length > 0 ? [`${count(concerns.length, 'source')} not fresh`] : []),
    ...(quarantined.length > 0 ? ['a decision is needed'] : []),
  ];
  return {
    kind: 'Sync summary',
    subject: oneLine(`${installation}: ${words.join(', ')}`),
    ...mailDocument(blocks),
  };
}

function section(
  heading: string,
  of: readonly SourceState[],
  block: (of: readonly SourceState[]) => MailBlock,
): MailBlock[] {
  return of.length === 0 ? [] : [{ kind: 'heading', words: heading }, block(of)];
}

const describeChanges = (day: SourceDay | undefined) =>
  day === undefined ? 'No run in 24 hours' : `In 24 hours: ${changes([day])}`;

/** Returns '6 added, 2 changed, 1 withdrawn', counted in updates. Mentions the number of records when it differs. */
function changes(days: readonly SourceDay[]): string {
  const sum = (of: 'records' | 'updates', what: keyof ChangeCounts) =>
    days.reduce((total, day) => total + day[of][what], 0);
  const whats = ['added', 'changed', 'withdrawn'] as const;
  const words = (of: 'records' | 'updates') =>
    whats.map((what) => `${sum(of, what)} ${what}`).join(', ');
  if (words('records') === words('updates')) return words('updates');
  const records = whats.reduce((total, what) => total + sum('records', what), 0);
  return `${words('updates')}, each update counted once; ${count(records, 'record')} in all`;
}

const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;

function failureLines(
  failures: readonly FailedRun[],
  source: string,
  time: TimeWords,
): readonly string[] {
  const failed = failures.filter((run) => run.source === source);
  const remaining = failed.length - maxFailures;
  return [
    ...failed
      .slice(0, maxFailures)
      .map(
        ({ state, message, endedAt }) =>
          `${time(endedAt)}, ${stateLabels[state]}: ${reason(message)}`,
      ),
    ...(remaining > 0 ? [`And ${remaining} more.`] : []),
  ];
}

function reason(message: RunMessage | null): string {
  const text = message === null ? '' : runMessageText(message);
  return text.length > maxReasonLength ? `${text.slice(0, maxReasonLength).toWellFormed()}…` : text;
}

function quarantineLines({ quarantine }: SourceState): readonly string[] {
  return quarantine.map((entry) => {
    const what = entry.reason === 'records_missing' ? 'are no longer listed' : 'would lose content';
    return `${entry.partLabel}: ${entry.records} of ${entry.known} records ${what}`;
  });
}

function lastSuccess(at: number | null, time: TimeWords): string {
  return at === null ? 'Never synced successfully' : `Last successful sync: ${time(at)}`;
}

/** Describes the newest record and the usual interval, as evidence for a vendor's silence. */
function newestLines({
  releases: { listLabel, newest, usualGapDays, daysKnown },
}: SourceState): readonly string[] {
  if (newest === null) return [];
  // A vendor's date is a calendar day, mostly without a time of day.
  const day = timeWords('UTC', dayFormat)(newest.releaseDate);
  const rhythm =
    usualGapDays === null
      ? 'no rhythm known'
      : `new records usually ${rhythmText(usualGapDays)}, by its last ${daysKnown} days with records`;
  const of = listLabel === null ? '' : ` of ${listLabel}`;
  return [`Newest record${of}: ${newest.identity}, ${day}; ${rhythm}`];
}

function lastRun(run: Run | null, time: TimeWords): string {
  if (run === null) return 'Never synced';
  const { state, endedAt, startedAt, queuedAt } = run;
  return `Last run: ${stateLabels[state]}, ${time(endedAt ?? startedAt ?? queuedAt)}`;
}

type TimeWords = (at: number) => string;

const dayFormat = { month: 'short', day: '2-digit', year: 'numeric' } as const;
const timeFormat = {
  ...dayFormat,
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'short',
} as const;

function timeWords(timeZone: string, as: Intl.DateTimeFormatOptions = timeFormat): TimeWords {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, ...as });
  return (at) => format.format(at);
}
