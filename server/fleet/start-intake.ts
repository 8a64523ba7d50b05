/** Starts the intake thread with the first report, and again with the next one when it has died: what it was doing is answered with `busy`. */
import { Worker } from 'node:worker_threads';
import type { ReportedMachine, ReportOutcome } from '@patch/contract/machine-report-endpoints.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import { AppError } from '../platform/errors/app-error.ts';
import { createConcurrencyLimiter } from '../platform/http/concurrency-limiter.ts';
import type { Log } from '../platform/logging/logging.ts';
import type { Intake } from './intake.ts';
import { errorOfIntake, type IntakeNews, type IntakeOrder } from './intake-messages.ts';
import type { IntakeThreadStart } from './serve-intake.ts';

export interface RunningIntake extends Intake {
  stop(): Promise<void>;
}

export interface IntakeOptions {
  readonly database: Pick<OpenDatabase, 'url'>;
  readonly log: Pick<Log, 'warn' | 'error'>;
  readonly limits?: Partial<typeof usualLimits>;
  /** Another thread, for tests. */
  readonly thread?: URL;
}

const usualLimits = {
  /** In MiB. */
  heapMb: 1024,
  /** Of one request, without waiting for its turn. A thousand machines take some seconds. */
  taskMs: 120_000,
  /** One request is read while another is stored. */
  maxAtOnce: 2,
  /** Each holds up to 16 MB. */
  maxWaiting: 16,
};
const maxStopMs = 10_000;

export const startIntake = (options: IntakeOptions): RunningIntake => new IntakeThread(options);

interface Task {
  readonly settle: (outcomes: readonly ReportOutcome[]) => void;
  readonly fail: (error: Error) => void;
}

class IntakeThread implements RunningIntake {
  readonly #options: IntakeOptions;
  readonly #limits: typeof usualLimits;
  readonly #inTurn: ReturnType<typeof createConcurrencyLimiter>;
  readonly #tasks = new Map<number, Task>();
  #thread: Worker | null = null;
  #lastId = 0;

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.#limits = { ...usualLimits, ...options.limits };
    const { maxAtOnce, maxWaiting } = this.#limits;
    const busy = 'Too many machines are being reported at once.';
    this.#inTurn = createConcurrencyLimiter({ maxAtOnce, maxWaiting, busy });
  }

  take(
    clientId: number,
    machines: readonly ReportedMachine[],
    signal: AbortSignal,
  ): Promise<readonly ReportOutcome[]> {
    return this.#inTurn(() => {
      if (signal.aborted)
        throw new AppError('caller_left', 'The connection was closed before the report was taken.');
      return this.#run(clientId, machines);
    });
  }

  async stop(): Promise<void> {
    const thread = this.#thread;
    if (thread === null) return;
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    thread.postMessage({ order: 'stop' } satisfies IntakeOrder);
    const patience = setTimeout(() => void thread.terminate(), maxStopMs);
    await ended;
    clearTimeout(patience);
  }

  async #run(
    clientId: number,
    machines: readonly ReportedMachine[],
  ): Promise<readonly ReportOutcome[]> {
    const thread = (this.#thread ??= this.#launched());
    this.#lastId += 1;
    const id = this.#lastId;
    // What hangs cannot be asked to end.
    const patience = setTimeout(() => void thread.terminate(), this.#limits.taskMs);
    try {
      return await new Promise<readonly ReportOutcome[]>((settle, fail) => {
        this.#tasks.set(id, { settle, fail });
        thread.postMessage({ order: 'take', id, clientId, machines } satisfies IntakeOrder);
      });
    } finally {
      clearTimeout(patience);
      this.#tasks.delete(id);
    }
  }

  #launched(): Worker {
    const { database, log, thread: url } = this.#options;
    const thread = new Worker(url ?? new URL('./intake-thread.ts', import.meta.url), {
      workerData: { databaseUrl: database.url } satisfies IntakeThreadStart,
      name: 'intake',
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.heapMb },
    });
    let cause: unknown;
    thread.on('message', (news: IntakeNews) => this.#heard(news));
    thread.on('error', (error: unknown) => {
      cause = error;
    });
    thread.on('exit', (code) => {
      this.#thread = null;
      if (this.#tasks.size === 0) return;
      const error = new Error(`The intake thread ended (${code})`, { cause });
      log.error({ err: error, requests: this.#tasks.size }, 'reports of machines were lost');
      for (const { fail } of this.#tasks.values()) fail(endedMeanwhile());
    });
    return thread;
  }

  #heard(news: IntakeNews): void {
    if (news.kind === 'lost')
      this.#options.log.warn({ detail: news.message }, 'a connection to the database was lost');
    else if (news.kind === 'taken') this.#tasks.get(news.id)?.settle(news.outcomes);
    else this.#tasks.get(news.id)?.fail(errorOfIntake(news.failed));
  }
}

/** The transaction of the request was not committed, or its reply was lost: sending it again does no harm. */
const endedMeanwhile = () =>
  new AppError(
    'busy',
    'The machines could not be taken in: reading them took too long or too much memory. Try again with fewer machines at once.',
    { retryAfterSeconds: 5 },
  );
