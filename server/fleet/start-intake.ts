/**
 * Starts the intake thread with the first report, and again after it was idle or has died. Requests that were running when it
 * died get `busy`.
 */
import type { ReportedMachine, ReportOutcome } from '@patch/contract/machine-report-endpoints.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import { AppError } from '../platform/errors/app-error.ts';
import { createConcurrencyLimiter } from '../platform/http/concurrency-limiter.ts';
import type { Log } from '../platform/logging/logging.ts';
import { msSince } from '../platform/logging/ms-since.ts';
import { OnDemandThread } from '../platform/threads/on-demand-thread.ts';
import type { Intake } from './intake.ts';
import { type IntakeEvent, type IntakeTask, toError } from './intake-messages.ts';
import type { IntakeThreadStart } from './serve-intake.ts';

export interface RunningIntake extends Intake {
  stop(): Promise<void>;
}

export interface IntakeOptions {
  readonly database: Pick<OpenDatabase, 'url'>;
  readonly log: Pick<Log, 'debug' | 'warn' | 'error'>;
  readonly limits?: Partial<typeof defaultLimits>;
  /** Another thread, for tests. */
  readonly module?: URL;
}

const defaultLimits = {
  /** MiB. */
  heapMb: 1024,
  /** Time limit of one request without waiting. A thousand machines take some seconds. */
  taskMs: 120_000,
  /** One request is read while another is stored. */
  maxAtOnce: 2,
  /** Each contains up to 16 MB. */
  maxWaiting: 16,
  /** The thread ends after this time without a report and loses its cache: clients report every few minutes. */
  idleMs: 10 * 60_000,
};

export const startIntake = (options: IntakeOptions): RunningIntake => new IntakeThread(options);

interface Task {
  readonly settle: (outcomes: readonly ReportOutcome[]) => void;
  readonly fail: (error: Error) => void;
}

class IntakeThread implements RunningIntake {
  readonly #options: IntakeOptions;
  readonly #limits: typeof defaultLimits;
  readonly #inTurn: ReturnType<typeof createConcurrencyLimiter>;
  readonly #thread: OnDemandThread<IntakeTask, IntakeEvent>;
  readonly #tasks = new Map<number, Task>();
  #lastId = 0;

  constructor(options: IntakeOptions) {
    const { database, module } = options;
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    const { maxAtOnce: maxConcurrent, maxWaiting, heapMb, idleMs } = this.#limits;
    const busy = 'Too many machines are being reported at once.';
    this.#inTurn = createConcurrencyLimiter({ maxRunning: maxConcurrent, maxWaiting, busy });
    this.#thread = new OnDemandThread({
      name: 'intake',
      module: module ?? new URL('./intake-thread.ts', import.meta.url),
      workerData: { databaseUrl: database.url } satisfies IntakeThreadStart,
      heapMb,
      idleMs,
      onEvent: (event) => this.#onEvent(event),
      onDeath: (error) => this.#onDeath(error),
    });
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
    await this.#thread.stop();
    this.#failTasks();
  }

  async #run(
    clientId: number,
    machines: readonly ReportedMachine[],
  ): Promise<readonly ReportOutcome[]> {
    this.#lastId += 1;
    const id = this.#lastId;
    // A thread that hangs cannot end by itself.
    const limit = setTimeout(() => this.#thread.terminate(), this.#limits.taskMs);
    const since = performance.now();
    try {
      const outcomes = await new Promise<readonly ReportOutcome[]>((settle, fail) => {
        this.#tasks.set(id, { settle, fail });
        this.#thread.send({ id, clientId, machines });
      });
      const facts = { client: clientId, machines: machines.length, ms: msSince(since) };
      this.#options.log.debug(facts, 'took in reports of machines');
      return outcomes;
    } finally {
      clearTimeout(limit);
      this.#tasks.delete(id);
    }
  }

  #onEvent(event: IntakeEvent): void {
    if (event.kind === 'lost')
      this.#options.log.warn({ detail: event.message }, 'a connection to the database was lost');
    else if (event.kind === 'taken') this.#tasks.get(event.id)?.settle(event.outcomes);
    else this.#tasks.get(event.id)?.fail(toError(event.failed));
  }

  #onDeath(error: Error): void {
    if (this.#tasks.size === 0) return;
    this.#options.log.error(
      { err: error, requests: this.#tasks.size },
      'reports of machines were lost',
    );
    this.#failTasks();
  }

  #failTasks(): void {
    for (const { fail } of this.#tasks.values()) fail(workerExitedError());
  }
}

/** The request may be repeated: its transaction was not committed, or only its reply was lost. */
const workerExitedError = () =>
  new AppError(
    'busy',
    'The machines could not be taken in: reading them took too long or too much memory. Try again with fewer machines at once.',
    { retryAfterSeconds: 5 },
  );
