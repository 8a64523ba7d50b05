/** A run while it runs: its progress, counts and warnings, and whether it must end. */
import type { Rejection } from '@patch/catalogue/definition/feed.ts';
import type { Run } from '@patch/contract/sync-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { addRejections } from './run-record-store.ts';
import { noteProgress, type RunCounts } from './run-store.ts';

/** Why a run ends early. */
export class RunStopped extends Error {
  override readonly name = 'RunStopped';
  readonly state: 'cancelled' | 'interrupted';
  constructor(state: RunStopped['state'], message: string) {
    super(message);
    this.state = state;
  }
}

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
  readonly #warnings = new Set<string>();
  readonly #timer: NodeJS.Timeout;
  #warningsLeftOut = 0;
  #stillRejected = 0;
  #rejections: Rejection[] = [];
  #rejectionsTold = 0;
  #stage = '';
  #done = 0;
  #total = 0;
  #moved = true;
  #lastNote = 0;
  #noting: Promise<void> | null = null;

  constructor(database: Database, run: Run, now: () => number = Date.now) {
    this.run = run;
    this.#database = database;
    this.#now = now;
    this.#timer = setInterval(() => this.#note(), noteEvery);
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get warnings(): readonly string[] {
    return this.#warningsLeftOut === 0
      ? [...this.#warnings]
      : [...this.#warnings, `And ${this.#warningsLeftOut} more warnings.`];
  }

  /** `total` is in the unit of `advance`; 0 while it is unknown. */
  enter(stage: string, total = 0): void {
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

  warn(words: string): void {
    if (this.#warnings.has(words)) return;
    if (this.#warnings.size < warningsKept) this.#warnings.add(words);
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
  async reject(rejection: Rejection): Promise<void> {
    this.counts.rejected++;
    this.#moved = true;
    if (this.#rejectionsTold >= rejectionsKept) return;
    this.#rejectionsTold++;
    this.#rejections.push(rejection);
    if (this.#rejections.length >= 100) await this.#writeRejections();
  }

  cancel(by: string): void {
    this.stop(
      new RunStopped(
        'cancelled',
        `Cancelled by ${by}. What had been written stays; the next sync completes it.`,
      ),
    );
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
    const progress = { stage: this.#stage, done: this.#done, total: this.#total, ...this.counts };
    // The next update makes up for a failed one.
    this.#noting = noteProgress(this.#database, this.run.id, progress, now)
      .then(({ lost, cancelledBy }) => {
        if (lost)
          this.stop(new RunStopped('interrupted', 'Another process considered this run dead.'));
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
