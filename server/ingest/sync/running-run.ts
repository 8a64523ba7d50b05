/** A run while it runs: its progress, counts and warnings, and whether it must end. */
import type { Rejection } from '@patch/catalogue/definition/feed.ts';
import type { RunMessage, RunStage } from '@patch/contract/run-message.ts';
import { runMessageText } from '@patch/contract/run-message-text.ts';
import type { Run } from '@patch/contract/sync-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import type { DocumentRetry } from './fetcher.ts';
import { addRejections } from './run-record-store.ts';
import { noteProgress, type RunCounts } from './run-store.ts';

/** Why a run ends early. */
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

/** `facts` include `ms`, a duration in milliseconds. */
type OnDecision = (words: string, facts: Readonly<Record<string, unknown>>) => void;

const noteEvery = 500;
const beatEvery = 5000;
const rejectionsKept = 1000;
const warningsKept = 100;

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
  readonly #now: () => number;
  readonly #stop = new AbortController();
  /** By their text: two messages that read alike are one. */
  readonly #warnings = new Map<string, RunMessage>();
  readonly #timer: NodeJS.Timeout;
  #warningsLeftOut = 0;
  #stillRejected = 0;
  #rejections: Omit<Rejection, 'kind'>[] = [];
  #rejectionsTold = 0;
  #stage: RunStage | null = null;
  /** Documents that are being asked for again, by address. */
  readonly #retrying = new Map<string, DocumentRetry>();
  #retries = 0;
  #done = 0;
  #total = 0;
  #moved = true;
  #lastNote = 0;
  #noting: Promise<void> | null = null;

  /** Notes for the log what was decided, and how long it took. */
  readonly decided: OnDecision;

  constructor(
    database: Database,
    run: Run,
    {
      now = Date.now,
      onDecision = () => undefined,
    }: { readonly now?: () => number; readonly onDecision?: OnDecision } = {},
  ) {
    this.decided = onDecision;
    this.run = run;
    this.#database = database;
    this.#now = now;
    this.#timer = setInterval(() => this.#note(), noteEvery);
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get warnings(): readonly RunMessage[] {
    const warnings = this.#warningsLeftOut;
    return warnings === 0
      ? [...this.#warnings.values()]
      : [...this.#warnings.values(), { code: 'more_warnings', params: { warnings } }];
  }

  /** `total` is in the unit of `advance`; 0 while it is unknown. */
  enter(stage: RunStage, total = 0): void {
    this.#stage = stage;
    this.#done = 0;
    this.#total = total;
    this.#moved = true;
  }

  advance(by: number): void {
    this.#done += by;
    // A document that is read twice still counts once.
    if (this.#total > 0) this.#done = Math.min(this.#done, this.#total);
    this.#moved = true;
  }

  /** While a document is asked for again the run's stage says so; null ends it. */
  retry(url: string, retry: DocumentRetry | null): void {
    // The latest is the last of the map.
    this.#retrying.delete(url);
    if (retry !== null) {
      this.#retrying.set(url, retry);
      this.#retries++;
    }
    this.#moved = true;
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
    if (this.#warnings.size < warningsKept) this.#warnings.set(text, message);
    else this.#warningsLeftOut++;
  }

  /** How many of the rejected records an earlier run has already reported. */
  get stillRejected(): number {
    return this.#stillRejected;
  }

  countStillRejected(records: number): void {
    this.#stillRejected += records;
  }

  /** All are counted; the first thousand are stored with their reasons. */
  async reject(rejection: Omit<Rejection, 'kind'>): Promise<void> {
    this.counts.rejected++;
    this.#moved = true;
    if (this.#rejectionsTold >= rejectionsKept) return;
    this.#rejectionsTold++;
    this.#rejections.push(rejection);
    if (this.#rejections.length >= 100) await this.#writeRejections();
  }

  cancel(by: string): void {
    this.stop(new RunStopped('cancelled', { code: 'cancelled', params: { by } }));
  }

  stop(reason: RunStopped): void {
    if (!this.signal.aborted) this.#stop.abort(reason);
  }

  /** Nothing is recorded after this has resolved. */
  async settle(): Promise<void> {
    clearInterval(this.#timer);
    await this.#noting;
    await this.#writeRejections();
  }

  async #writeRejections(): Promise<void> {
    const rejections = this.#rejections.map(({ rejected, reason, url }) => ({
      record: short(rejected),
      reason: short(reason),
      url: short(url),
    }));
    this.#rejections = [];
    await addRejections(this.#database, this.run.id, rejections);
  }

  #note(): void {
    const now = this.#now();
    if (this.#noting !== null || (!this.#moved && now - this.#lastNote < beatEvery)) return;
    this.#moved = false;
    this.#lastNote = now;
    const progress = { stage: this.stage, done: this.#done, total: this.#total, ...this.counts };
    // The next update makes up for a failed one.
    this.#noting = noteProgress(this.#database, this.run.id, progress, now)
      .then(({ lost, cancelledBy }) => {
        if (lost) this.stop(new RunStopped('interrupted', { code: 'considered_dead', params: {} }));
        else if (cancelledBy !== null) this.cancel(cancelledBy);
      })
      .catch(() => undefined)
      .finally(() => {
        this.#noting = null;
      });
  }
}

/** Truncated to fit a table's cell. */
function short(text: string): string {
  return text.length > 2000 ? `${text.slice(0, 2000)}…` : text;
}
