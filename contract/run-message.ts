/** What a sync run reports: each message a code with its parameters. `runMessageText` turns it into English. */
import { codedMessage } from '@patch/catalogue/definition/coded-message.ts';
import { DocumentFailure, FetchProblem } from '@patch/catalogue/definition/document-failure.ts';
import { FeedRemark } from '@patch/catalogue/definition/feed-remark.ts';
import { sourceKeys } from '@patch/catalogue/sources.ts';
import { z } from 'zod';

const whole = z.number().int();
/** The part by its key, and its name for people. */
const ofPart = { part: z.string(), partLabel: z.string() };
const ofList = { ...ofPart, list: z.string(), listLabel: z.string() };
const changes = { added: whole, changed: whole, withdrawn: whole };
/** The first names, and how many there are in all. */
const Names = z.object({ first: z.array(z.string()), total: whole });

/** A message that this version cannot read, as it is stored. */
const text = codedMessage('text', { text: z.string() });

/** Why a part of a source could not be synced. */
export const PartFailure = z.discriminatedUnion('code', [
  ...DocumentFailure.options,
  codedMessage('disk_full', {}),
  codedMessage('database_lost', {}),
  codedMessage('unexpected', { text: z.string() }),
]);
export type PartFailure = z.infer<typeof PartFailure>;

/** The mirror that a run read from, without its password, and where it is set: for the source alone, in Configuration, or by FEED_MIRROR. */
export const RunMirror = z.object({
  address: z.string(),
  setting: z.enum(['source', 'configuration', 'environment']),
});
export type RunMirror = z.infer<typeof RunMirror>;

/** What a run is doing. `retrying` stands for the stage of the part while one of its documents is asked for again. */
export const RunStage = z.discriminatedUnion('code', [
  codedMessage('fetching', ofPart),
  codedMessage('reading', ofPart),
  codedMessage('writing', ofPart),
  codedMessage('retrying', {
    ...ofPart,
    url: z.string(),
    problem: FetchProblem,
    /** The next attempt, of how many. */
    attempt: whole,
    attempts: whole,
    /** When it is made, in epoch milliseconds. */
    retryAt: z.number(),
    /** How many documents are being asked for again at this moment. */
    documents: whole,
    /** How many retries the run has made or is about to make. */
    retries: whole,
  }),
  codedMessage('importing_bundle', {}),
  text,
]);
export type RunStage = z.infer<typeof RunStage>;

/** Where a mirror may be the reason; earlier versions did not store it. */
const mirror = RunMirror.nullish();

/** How a run ended, and its warnings. */
export const RunMessage = z.discriminatedUnion('code', [
  codedMessage('synced', {
    ...changes,
    /** Documents of the parts that were not read because nothing had changed. */
    unchangedDocuments: whole,
    /** Records of the parts that were read; null when no part was. */
    recordsRead: whole.nullable(),
    rejected: whole,
    /** How many of the rejected records an earlier run has already reported. */
    stillRejected: whole,
    /** Parts that are not available at the source. */
    unavailable: Names,
    failed: Names,
  }),
  /** `part` is the first that failed; `parts` and `failures` count all. */
  codedMessage('failed', {
    ...ofPart,
    parts: whole,
    failures: whole,
    cause: PartFailure,
    mirror,
  }),
  codedMessage('nothing_followed', {}),
  codedMessage('nothing_available', { partLabels: z.array(z.string()), mirror }),
  codedMessage('no_feed', {}),
  codedMessage('cancelled', { by: z.string() }),
  codedMessage('cancelled_before_start', { by: z.string() }),
  codedMessage('server_stopped', {}),
  codedMessage('process_died', {}),
  codedMessage('considered_dead', {}),
  codedMessage('bundle_applied', {
    ...changes,
    source: z.enum(sourceKeys),
    signedBy: z.string(),
  }),
  codedMessage('bundle_not_applied', { by: z.string(), reason: z.string() }),
  codedMessage('bundle_blocked_by_sync', {}),
  codedMessage('part_failed', { ...ofPart, cause: PartFailure }),
  codedMessage('copy_read', { ...ofPart, cause: DocumentFailure, fetchedAt: z.number() }),
  codedMessage('last_copies_read', { ...ofPart, urls: Names }),
  /** The vendor no longer lists more records than may be withdrawn without approval. */
  codedMessage('withdrawals_held', {
    ...ofList,
    known: whole,
    listed: whole,
    /** The document that has become much smaller, where that is the reason. */
    smallerDocument: z.string().nullable(),
  }),
  codedMessage('withdrawals_kept', {
    ...ofList,
    known: whole,
    listed: whole,
    smallerDocument: z.string().nullable(),
    decidedBy: z.string(),
  }),
  /** The publication has lost content of more records than may change without approval. */
  codedMessage('content_held', {
    ...ofList,
    records: whole,
    compared: whole,
    /** The fields and tables with most of the records, and how many there are in all. */
    losses: z.object({
      first: z.array(z.object({ label: z.string(), records: whole })),
      total: whole,
    }),
  }),
  codedMessage('content_kept', { ...ofList, records: whole, decidedBy: z.array(z.string()) }),
  codedMessage('unknown_word', {
    ...ofPart,
    /** What the word is: 'severity'. */
    vocabulary: z.string(),
    word: z.string(),
    /** What the list shows in its place; null when it shows the word itself. */
    shownAs: z.string().nullable(),
    records: whole,
    /** Natural key of one of the records. */
    example: z.string(),
  }),
  codedMessage('more_unknown_words', { ...ofPart, records: whole }),
  codedMessage('feed_remark', { ...ofPart, remark: FeedRemark }),
  codedMessage('more_warnings', { warnings: whole }),
  text,
]);
export type RunMessage = z.infer<typeof RunMessage>;
export type RunMessageCode = RunMessage['code'];
