/** The English texts of sync runs' messages, the same in the console, emails and logs. */
import {
  formatCount,
  type MessageTexts,
  messageText,
} from '@patch/catalogue/definition/coded-message.ts';
import type { DocumentFailure } from '@patch/catalogue/definition/document-failure.ts';
import {
  documentFailureText,
  fetchProblemText,
} from '@patch/catalogue/definition/document-failure-text.ts';
import { feedRemarkText } from '@patch/catalogue/definition/feed-remark-text.ts';
import { sourceLabels } from '@patch/catalogue/sources.ts';
import type {
  PartFailure,
  RunMessage,
  RunMessageCode,
  RunMirror,
  RunStage,
} from './run-message.ts';

type Params<Code extends RunMessageCode> = Extract<RunMessage, { readonly code: Code }>['params'];

/** Returns one or more sentences. */
export function runMessageText(message: RunMessage): string {
  return messageText(texts, message);
}

/** Returns text such as 'Reading AlmaLinux 9'. */
export function runStageText(stage: RunStage): string {
  return messageText(stageTexts, stage);
}

const stageTexts: MessageTexts<RunStage> = {
  fetching: ({ partLabel }) => `Fetching ${partLabel}`,
  reading: ({ partLabel }) => `Reading ${partLabel}`,
  writing: ({ partLabel }) => `Writing ${partLabel}`,
  retrying: ({ partLabel, url, problem, attempt, attempts, documents, retries }) => {
    const others = documents > 1 ? `, ${formatCount(documents - 1)} more waiting` : '';
    const total = retries > 1 ? `, ${formatCount(retries)} retries in this run` : '';
    return `Retrying ${partLabel}: attempt ${attempt} of ${attempts}${others}${total}. ${url} ${fetchProblemText(problem)}.`;
  },
  importing_bundle: () => 'Importing a bundle',
  text: ({ text }) => text,
};

const completedLater = 'What had been written stays; the next sync completes it.';

const texts: MessageTexts<RunMessage> = {
  synced: (params) => syncedText(params),
  failed: ({ partLabel, parts, failures, cause, mirror }) => {
    const others = failures === 1 ? '' : ` ${failures - 1} more failed for the same reason.`;
    return `${parts === 1 ? '' : `${partLabel}: `}${partFailureText(cause)}${others}${mirrorText(mirror)}`;
  },
  nothing_followed: () =>
    'No part of the source is followed. Choose in its settings what to follow.',
  nothing_available: ({ partLabels, mirror }) =>
    `Nothing is available at the source (${partLabels.join(', ')}). Check ${mirror ? 'the mirror' : 'FEED_MIRROR, if it is set'}, or whether the vendor has moved.${mirrorText(mirror)}`,
  no_feed: () => 'This version has no feed for this source.',
  cancelled: ({ by }) => `Cancelled by ${by}. ${completedLater}`,
  cancelled_before_start: ({ by }) => `Cancelled by ${by} before it started.`,
  server_stopped: () => `The server was stopped. ${completedLater}`,
  process_died: () =>
    'The server stopped while this ran. What it had written stays; the next sync completes it.',
  considered_dead: () => 'Another process considered this run dead.',
  bundle_applied: ({ added, changed, withdrawn, source, signedBy }) => {
    const what =
      added + changed + withdrawn === 0
        ? 'Nothing new'
        : `Added ${added}, changed ${changed}, withdrew ${withdrawn}`;
    return `${what}: a bundle of ${sourceLabels[source]}, signed by ${signedBy}.`;
  },
  bundle_not_applied: ({ by, reason }) =>
    `The bundle that ${by} imported was not applied, nothing was changed: ${reason}`,
  bundle_blocked_by_sync: () => 'Another sync was running; the bundle was not applied.',
  part_failed: ({ partLabel, cause }) => `${partLabel}: ${partFailureText(cause)}`,
  copy_read: ({ partLabel, cause, fetchedAt }) => `${partLabel}: ${copyReadText(cause, fetchedAt)}`,
  last_copies_read: ({ partLabel, urls: { first, total } }) => {
    const others = total > first.length ? ` and ${total - first.length} more` : '';
    const [verb, copies] =
      total === 1 ? ['is', 'Its last copy was'] : ['are', 'Their last copies were'];
    return `${partLabel}: ${first.join(', ')}${others} ${verb} no longer published (not found). ${copies} read.`;
  },
  withdrawals_held: (params) =>
    `${missingText(params)} This may be a broken publication, so none was withdrawn. An administrator must decide.`,
  withdrawals_kept: (params) =>
    `${missingText(params)} The others are kept, as ${params.decidedBy} decided.`,
  content_held: ({ partLabel, listLabel, records, compared, losses }) =>
    `${partLabel}: the publication has lost content; ${formatCount(records)} of ${recordsText(compared)} are affected (${listLabel}: ${lossesText(losses)}). That may be a broken publication, so they stay as they are until an administrator decides.`,
  content_kept: ({ partLabel, listLabel, records, decidedBy }) =>
    `${partLabel}: ${recordsText(records)} of which the publication has lost content ${records === 1 ? 'stays' : 'stay'} as before (${listLabel}), as ${decidedBy.join(' and ')} decided.`,
  unknown_word: ({ partLabel, vocabulary, word, shownAs, records, example }) => {
    const where =
      records === 1
        ? `1 record (${example})`
        : `${formatCount(records)} records, for example ${example}`;
    return `${partLabel}: Unknown ${vocabulary} '${word}' in ${where}. It is shown as ${shownAs ?? 'it is'}.`;
  },
  more_unknown_words: ({ partLabel, records }) =>
    `${partLabel}: More unknown words, in ${formatCount(records)} records.`,
  feed_remark: ({ partLabel, remark }) => sentence(`${partLabel}: ${feedRemarkText(remark)}`),
  more_warnings: ({ warnings }) => `And ${warnings} more warnings.`,
  text: ({ text }) => text,
};

/** @param fetchedAt epoch milliseconds. */
export function copyReadText(cause: DocumentFailure, fetchedAt: number): string {
  return `${documentFailureText(cause)} The copy of ${new Date(fetchedAt).toISOString()} was read instead.`;
}

/** Returns ' It was read from the mirror http://mirror.example, which FEED_MIRROR sets.' */
function mirrorText(mirror: RunMirror | null | undefined): string {
  return mirror
    ? ` It was read from the mirror ${mirror.address}, which ${mirrorSettings[mirror.setting]}.`
    : '';
}

const mirrorSettings: Readonly<Record<RunMirror['setting'], string>> = {
  source: 'the settings of this source name',
  configuration: 'the configuration names for all sources',
  environment: 'the FEED_MIRROR environment variable sets',
};

function partFailureText(failure: PartFailure): string {
  switch (failure.code) {
    case 'disk_full':
      return 'The disk of DATA_DIR, or of the database, is full. Free some space, then sync again.';
    case 'database_lost':
      return `The connection to the database was lost. ${completedLater}`;
    case 'unexpected':
      return failure.params.text;
    default:
      return documentFailureText(failure);
  }
}

function syncedText(params: Params<'synced'>): string {
  const { rejected, stillRejected, unavailable, failed } = params;
  return [
    whatChangedText(params),
    ...rejectionTexts(rejected, stillRejected),
    ...(unavailable.total > 0
      ? [
          `${namesText(unavailable)} ${unavailable.total === 1 ? 'is' : 'are'} not available at the source.`,
        ]
      : []),
    ...(failed.total > 0 ? [`${namesText(failed)} could not be synced: see the warnings.`] : []),
  ].join(' ');
}

function whatChangedText({
  added,
  changed,
  withdrawn,
  unchangedDocuments,
  recordsRead,
}: Params<'synced'>): string {
  if (recordsRead === null)
    return `Nothing new: ${unchangedDocuments === 1 ? 'the document is' : `all ${formatCount(unchangedDocuments)} documents are`} unchanged.`;
  if (added + changed + withdrawn > 0)
    return `Added ${recordsText(added)}, changed ${formatCount(changed)}, removed ${formatCount(withdrawn)}.`;
  if (recordsRead === 0) return 'Nothing new: there are no records.';
  return `Nothing new: ${recordsRead === 1 ? 'the record is as it was' : `all ${formatCount(recordsRead)} records are as they were`}.`;
}

/** Counts records that this run has read separately from those of unchanged documents. */
function rejectionTexts(all: number, still: number): string[] {
  const invalid = (number: number) =>
    `${formatCount(number)} invalid vendor ${number === 1 ? 'record' : 'records'}`;
  if (still === 0) return all === 0 ? [] : [`Skipped ${invalid(all)}.`];
  const [verb, more] = [still === 1 ? 'is' : 'are', all === still ? '' : ' more'];
  return [
    ...(all > still ? [`Skipped ${invalid(all - still)}.`] : []),
    `${invalid(still).replace(' ', `${more} `)} ${verb} still skipped.`,
  ];
}

/** Returns 'a, b and c', or 'a, b and 7 more'. */
function namesText({ first, total }: Params<'synced'>['failed']): string {
  const shown = total > first.length ? [...first, `${total - first.length} more`] : first;
  const last = shown.at(-1) ?? '';
  return shown.length === 1 ? last : `${shown.slice(0, -1).join(', ')} and ${last}`;
}

function missingText({
  partLabel,
  listLabel,
  known,
  listed,
  smallerDocument,
}: Params<'withdrawals_held'>): string {
  const smaller =
    smallerDocument === null ? '' : ` ${smallerDocument} is much smaller than before.`;
  return `${partLabel}: the vendor lists only ${formatCount(listed)} of the ${formatCount(known)} records known before (${listLabel}).${smaller}`;
}

/** Returns 'CVEs in 129, Severity in 16 and 2 more'. */
function lossesText({ first, total }: Params<'content_held'>['losses']): string {
  const more = total > first.length ? ` and ${formatCount(total - first.length)} more` : '';
  return `${first.map(({ label, records }) => `${label} in ${formatCount(records)}`).join(', ')}${more}`;
}

const recordsText = (number: number) =>
  number === 1 ? '1 record' : `${formatCount(number)} records`;

const sentence = (text: string) => (text.endsWith('.') ? text : `${text}.`);
