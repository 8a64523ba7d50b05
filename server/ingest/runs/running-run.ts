/** A run in progress: its stage, counts and warnings, and the signal that ends it. */
import type { Rejection } from '@patch/catalogue/definition/feed.ts';
import type { RunMessage, RunStage } from '@patch/contract/sources/run-message.ts';
import { runMessageText } from '@patch/contract/sources/run-message-text.ts';
import type { Run } from '@patch/contract/sources/sync-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { LeaseKeeper } from '../../platform/queues/lease-keeper.ts';
import type { DocumentRetry } from '../fetching/fetcher.ts';
import { addRejections } from './run-record-store.ts';
import { type RunCounts, saveProgress } from './run-store.ts';

/** The reason for which a run ends early. */
export class RunStopped extends Error {
  override readonly name = 'RunStopped';
  readonly state: 'cancelled' | 'interrupted';
  readonly why: RunMessage;
  constructor(state: RunStopped['state'], why: RunMessage) {
    super(runMessageText(why));
    this.state = state;
    this.why = why;
  }
}

/** @param facts include `ms`, a duration in milliseconds */
type OnDecision = (words: string, facts: Readonly<Record<string, unknown>>) => void;

const maxRejections = 1000;
const maxWarnings = 100;

export class RunningRun {
  readonly run: Run;
  readonly counts: { -readonly [Name in keyof RunCounts]: number } = {
    added: 0,
    changed: 0,
    withdrawn: 0,
    unchanged: 0,
    rejected: 0,
  };
  readonly #database: Database;
  readonly #stop = new AbortController();
  /** Warnings by their text, so that equal texts are reported once. */
  readonly #warnings = new Map<string, RunMessage>();
  readonly #lease: LeaseKeeper;
  #furtherWarnings = 0;
  #stillRejected = 0;
  #rejections: Omit<Rejection, 'kind'>[] = [];
  #storedRejections = 0;
  #stage: RunStage | null = null;
  /** Documents that are being retried, by address. */
  readonly #retrying = new Map<string, DocumentRetry>();
  #retries = 0;
  #done = 0;
  #total = 0;

  /** Logs a decision and its duration. */
  readonly logDecision: OnDecision;

  constructor(
    database: Database,
    run: Run,
    {
      now = Date.now,
      onDecision = () => undefined,
    }: { readonly now?: () => number; readonly onDecision?: OnDecision } = {},
  ) {
    this.logDecision = onDecision;
    this.run = run;
    this.#database = database;
    this.#lease = new LeaseKeeper((time) => this.#saveProgress(time), now);
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get warnings(): readonly RunMessage[] {
    const warnings = this.#furtherWarnings;
    return warnings === 0
      ? [...this.#warnings.values()]
      : [...this.#warnings.values(), { code: 'more_warnings', params: { warnings } }];
  }

  /** Starts a stage. @param total in the unit of `advance`; 0 when it is unknown */
  enter(stage: RunStage, total = 0): void {
    this.#stage = stage;
    this.#done = 0;
    this.#total = total;
    this.#lease.noteProgress();
  }

  advance(by: number): void {
    this.#done += by;
    // Counts a document once that is read twice.
    if (this.#total > 0) this.#done = Math.min(this.#done, this.#total);
    this.#lease.noteProgress();
  }

  /** Shows the retry of a document as the stage of the run; null ends it. */
  retry(url: string, retry: DocumentRetry | null): void {
    // Moves the document to the end of the map, where `stage` finds the latest one.
    this.#retrying.delete(url);
    if (retry !== null) {
      this.#retrying.set(url, retry);
      this.#retries++;
    }
    this.#lease.noteProgress();
  }

  get stage(): RunStage | null {
    const stage = this.#stage;
    const latest = [...this.#retrying].at(-1);
    if (stage === null || latest === undefined) return stage;
    if (stage.code === 'importing_bundle' || stage.code === 'text') return stage;
    const { part, partLabel } = stage.params;
    const [url, retry] = latest;
    const counted = { documents: this.#retrying.size, retries: this.#retries };
    return { code: 'retrying', params: { part, partLabel, url, ...retry, ...counted } };
  }

  warn(message: RunMessage): void {
    const text = runMessageText(message);
    if (this.#warnings.has(text)) return;
    if (this.#warnings.size < maxWarnings) this.#warnings.set(text, message);
    else this.#furtherWarnings++;
  }

  /** Count of the rejected records that an earlier run has already reported. */
  get stillRejected(): number {
    return this.#stillRejected;
  }

  countStillRejected(records: number): void {
    this.#stillRejected += records;
  }

  /** Counts a rejected record. The first thousand of a run are stored with their reasons. */
  async reject(rejection: Omit<Rejection, 'kind'>): Promise<void> {
    this.counts.rejected++;
    this.#lease.noteProgress();
    if (this.#storedRejections >= maxRejections) return;
    this.#storedRejections++;
    this.#rejections.push(rejection);
    if (this.#rejections.length >= 100) await this.#writeRejections();
  }

  cancel(by: string): void {
    this.stop(new RunStopped('cancelled', { code: 'cancelled', params: { by } }));
  }

  stop(reason: RunStopped): void {
    if (!this.signal.aborted) this.#stop.abort(reason);
  }

  /** Saves the remaining rejections. Nothing is saved after it resolves. */
  async settle(): Promise<void> {
    await this.#lease.end();
    await this.#writeRejections();
  }

  async #writeRejections(): Promise<void> {
    const rejections = this.#rejections.map(({ rejected, reason, url }) => ({
      record: truncate(rejected),
      reason: truncate(reason),
      url: truncate(url),
    }));
    this.#rejections = [];
    await addRejections(this.#database, this.run.id, rejections);
  }

  async #saveProgress(now: number): Promise<void> {
    const progress = { stage: this.stage, done: this.#done, total: this.#total, ...this.counts };
    const { lost, cancelledBy } = await saveProgress(this.#database, this.run.id, progress, now);
    if (lost) this.stop(new RunStopped('interrupted', { code: 'considered_dead', params: {} }));
    else if (cancelledBy !== null) this.cancel(cancelledBy);
  }
}

/** Truncates a text to fit into a table cell. */
function truncate(text: string): string {
  return text.length > 2000 ? `${text.slice(0, 2000)}…` : text;
}
