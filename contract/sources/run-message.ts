/** Messages of sync runs, each a code with parameters; `runMessageText` converts them to English. */
import { codedMessage } from '@patch/catalogue/definition/coded-message.ts';
import { DocumentFailure, FetchProblem } from '@patch/catalogue/definition/document-failure.ts';
import { FeedRemark } from '@patch/catalogue/definition/feed-remark.ts';
import { sourceKeys } from '@patch/catalogue/sources.ts';
import { z } from 'zod';

const integer = z.number().int();
/** The part's key, and its name for people. */
const ofPart = { part: z.string(), partLabel: z.string() };
const ofList = { ...ofPart, list: z.string(), listLabel: z.string() };
const changes = { added: integer, changed: integer, withdrawn: integer };
/** The first names, and the total number. */
const Names = z.object({ first: z.array(z.string()), total: integer });

/** A message that this version cannot read, as stored. */
const text = codedMessage('text', { text: z.string() });

/** Why a part of a source could not be synced. */
export const PartFailure = z.discriminatedUnion('code', [
  ...DocumentFailure.options,
  codedMessage('disk_full', {}),
  codedMessage('database_lost', {}),
  codedMessage('unexpected', { text: z.string() }),
]);
export type PartFailure = z.infer<typeof PartFailure>;

/**
 * The mirror that a run read from, without its password, and the setting that names it: the source's, the configuration's, or
 * FEED_MIRROR.
 */
export const RunMirror = z.object({
  address: z.string(),
  setting: z.enum(['source', 'configuration', 'environment']),
});
export type RunMirror = z.infer<typeof RunMirror>;

/** The current step of a run. `retrying` replaces the stage of the part while one of its documents is requested again. */
export const RunStage = z.discriminatedUnion('code', [
  codedMessage('fetching', ofPart),
  codedMessage('reading', ofPart),
  codedMessage('writing', ofPart),
  codedMessage('retrying', {
    ...ofPart,
    url: z.string(),
    problem: FetchProblem,
    /** The next attempt, and the maximum number. */
    attempt: integer,
    attempts: integer,
    /** When the next attempt is made, in epoch milliseconds. */
    retryAt: z.number(),
    /** Documents that are currently requested again. */
    documents: integer,
    /** Retries that the run has made or is about to make. */
    retries: integer,
  }),
  codedMessage('importing_bundle', {}),
  text,
]);
export type RunStage = z.infer<typeof RunStage>;

/** Present when a mirror may be the reason; earlier versions did not store it. */
const mirror = RunMirror.nullish();

/** The result of a run, and its warnings. */
export const RunMessage = z.discriminatedUnion('code', [
  codedMessage('synced', {
    ...changes,
    /** Documents of the parts that were not read because nothing had changed. */
    unchangedDocuments: integer,
    /** Records of the parts that were read; null when no part was. */
    recordsRead: integer.nullable(),
    rejected: integer,
    /** Rejected records that an earlier run has already reported. */
    stillRejected: integer,
    /** Parts that are not available at the source. */
    unavailable: Names,
    failed: Names,
  }),
  /** `part` is the first failed part; `parts` and `failures` are totals. */
  codedMessage('failed', {
    ...ofPart,
    parts: integer,
    failures: integer,
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
  /** More records are missing than may be withdrawn without approval. */
  codedMessage('withdrawals_held', {
    ...ofList,
    known: integer,
    listed: integer,
    /** The document that became much smaller, when that is the reason. */
    smallerDocument: z.string().nullable(),
  }),
  codedMessage('withdrawals_kept', {
    ...ofList,
    known: integer,
    listed: integer,
    smallerDocument: z.string().nullable(),
    decidedBy: z.string(),
  }),
  /** More records lost content than may change without approval. */
  codedMessage('content_held', {
    ...ofList,
    records: integer,
    compared: integer,
    /** The most affected fields and tables, and their total number. */
    losses: z.object({
      first: z.array(z.object({ label: z.string(), records: integer })),
      total: integer,
    }),
  }),
  codedMessage('content_kept', { ...ofList, records: integer, decidedBy: z.array(z.string()) }),
  codedMessage('unknown_word', {
    ...ofPart,
    /** The kind of word: 'severity'. */
    vocabulary: z.string(),
    word: z.string(),
    /** The word that the list shows instead; null when it shows the word itself. */
    shownAs: z.string().nullable(),
    records: integer,
    /** Natural key of one of the records. */
    example: z.string(),
  }),
  codedMessage('more_unknown_words', { ...ofPart, records: integer }),
  codedMessage('feed_remark', { ...ofPart, remark: FeedRemark }),
  codedMessage('more_warnings', { warnings: integer }),
  text,
]);
export type RunMessage = z.infer<typeof RunMessage>;
export type RunMessageCode = RunMessage['code'];
