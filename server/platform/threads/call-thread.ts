/**
 * Calls a worker thread and waits for its replies. The thread starts with the first call, and again after it was idle or has died.
 * Calls that were running when it died get `busy`.
 */
import { AppError } from '../errors/app-error.ts';
import { createConcurrencyLimiter } from '../http/concurrency-limiter.ts';
import type { Log } from '../logging/logging.ts';
import { OnDemandThread } from './on-demand-thread.ts';
import { type CallEvent, type NumberedCall, toError } from './serve-calls.ts';

export interface CallThreadLimits {
  /** MiB. */
  readonly heapMb: number;
  /** Time limit of one call without waiting. */
  readonly taskMs: number;
  readonly maxRunning: number;
  readonly maxWaiting: number;
  /** The thread ends after this time without a call and loses its caches. */
  readonly idleMs: number;
}

export interface CallThreadOptions {
  /** Of the thread, in logs: 'intake'. */
  readonly name: string;
  readonly module: URL;
  readonly workerData: object;
  readonly limits: CallThreadLimits;
  /** The message when too many calls wait. */
  readonly busy: string;
  /** The message of calls whose thread ended. They may be repeated. */
  readonly ended: string;
  readonly log: Pick<Log, 'warn' | 'error'>;
}

interface Task<Reply> {
  readonly settle: (reply: Reply) => void;
  readonly fail: (error: Error) => void;
}

export class CallThread<Call, Reply> {
  readonly #options: CallThreadOptions;
  readonly #inTurn: ReturnType<typeof createConcurrencyLimiter>;
  readonly #thread: OnDemandThread<NumberedCall<Call>, CallEvent<Reply>>;
  readonly #tasks = new Map<number, Task<Reply>>();
  #lastId = 0;

  constructor(options: CallThreadOptions) {
    const { name, module, workerData, limits, busy } = options;
    this.#options = options;
    this.#inTurn = createConcurrencyLimiter({ ...limits, busy });
    this.#thread = new OnDemandThread({
      name,
      module,
      workerData,
      heapMb: limits.heapMb,
      idleMs: limits.idleMs,
      onEvent: (event) => this.#onEvent(event),
      onDeath: (error) => this.#onDeath(error),
    });
  }

  /** @throws AppError `busy` when too many calls wait or the thread has ended, `caller_left` when `signal` is aborted before it begins. */
  call(call: Call, signal: AbortSignal): Promise<Reply> {
    return this.#inTurn(async () => {
      if (signal.aborted)
        throw new AppError('caller_left', 'The connection was closed before the work began.');
      this.#lastId += 1;
      const id = this.#lastId;
      // A thread that hangs cannot end by itself.
      const limit = setTimeout(() => this.#thread.terminate(), this.#options.limits.taskMs);
      try {
        return await new Promise<Reply>((settle, fail) => {
          this.#tasks.set(id, { settle, fail });
          this.#thread.send({ id, call });
        });
      } finally {
        clearTimeout(limit);
        this.#tasks.delete(id);
      }
    });
  }

  async stop(): Promise<void> {
    await this.#thread.stop();
    this.#failTasks();
  }

  #onEvent(event: CallEvent<Reply>): void {
    const { log, name } = this.#options;
    if (event.kind === 'lost')
      log.warn({ detail: event.message, thread: name }, 'a connection to the database was lost');
    else if (event.kind === 'replied') this.#tasks.get(event.id)?.settle(event.reply);
    else this.#tasks.get(event.id)?.fail(toError(event.failed, name));
  }

  #onDeath(error: Error): void {
    if (this.#tasks.size === 0) return;
    const { log, name } = this.#options;
    log.error({ err: error, calls: this.#tasks.size, thread: name }, 'calls of a thread were lost');
    this.#failTasks();
  }

  #failTasks(): void {
    const ended = new AppError('busy', this.#options.ended, { retryAfterSeconds: 5 });
    for (const { fail } of this.#tasks.values()) fail(ended);
  }
}
