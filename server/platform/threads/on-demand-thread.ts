/** A worker thread that starts with its first command and ends when idle. */
import { Worker } from 'node:worker_threads';
import { type ThreadMessage, threadStop } from './serve-thread.ts';

export interface OnDemandThreadOptions<Event> {
  readonly name: string;
  readonly module: URL;
  readonly workerData: object;
  readonly heapMb: number;
  /** Time without work until the thread ends. */
  readonly idleMs?: number | undefined;
  readonly onEvent: (event: Event) => void;
  /**
   * Called when the thread died and its work is lost. With `onRested`, commands are dropped for `restMs`, which doubles with each
   * further death.
   */
  readonly onDeath: (error: Error, restMs: number) => void;
  /** Called after the rest. Absent: the next command after a death starts a thread at once. */
  readonly onRested?: () => void;
}

/** Ending a thread frees its heap, which is 350 MB after syncs of all sources. */
const defaultIdleMs = 20_000;
const maxStopMs = 20_000;
const minRestMs = 1000;
const maxRestMs = 60_000;
const healthyAfterMs = 600_000;

interface Running {
  readonly worker: Worker;
  readonly startedAt: number;
  commands: number;
  idle: NodeJS.Timeout | undefined;
}

export class OnDemandThread<Command, Event> {
  readonly #options: OnDemandThreadOptions<Event>;
  #running: Running | null = null;
  readonly #ending = new Set<Promise<void>>();
  #stopped = false;
  #deaths = 0;
  #rest: NodeJS.Timeout | undefined;

  constructor(options: OnDemandThreadOptions<Event>) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** Drops the command after a stop and during a rest: the owner looks for work again in `onRested`. */
  send(command: Command): void {
    if (this.#stopped || this.#rest !== undefined) return;
    const running = (this.#running ??= this.#launch());
    clearTimeout(running.idle);
    running.commands += 1;
    running.worker.postMessage(command);
  }

  /** Terminates a hanging thread, and reports its death. */
  terminate(): void {
    void this.#running?.worker.terminate();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#rest);
    this.#end();
    await Promise.all(this.#ending);
  }

  /** Ends the thread. The next command starts another one, even while this one is still ending. */
  #end(): void {
    const running = this.#running;
    if (running === null) return;
    this.#running = null;
    clearTimeout(running.idle);
    const ended = new Promise<void>((resolve) => running.worker.once('exit', () => resolve()));
    const limit = setTimeout(() => void running.worker.terminate(), maxStopMs);
    const ending = ended.finally(() => {
      clearTimeout(limit);
      this.#ending.delete(ending);
    });
    this.#ending.add(ending);
    running.worker.postMessage(threadStop);
  }

  #launch(): Running {
    const { name, module, workerData, heapMb, onEvent } = this.#options;
    const worker = new Worker(module, {
      name,
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    const running: Running = { worker, startedAt: Date.now(), commands: 0, idle: undefined };
    let cause: unknown;
    worker.on('message', (message: ThreadMessage<Event>) => {
      if ('event' in message) onEvent(message.event);
      else if (message.done === running.commands) this.#onIdle(running);
    });
    worker.on('error', (error: unknown) => {
      cause = error;
    });
    worker.on('exit', (code) => {
      if (this.#running === running)
        this.#onDeath(running, new Error(`The ${name} thread ended (${code})`, { cause }));
    });
    return running;
  }

  #onIdle(running: Running): void {
    if (this.#running !== running) return;
    clearTimeout(running.idle);
    running.idle = setTimeout(() => this.#end(), this.#options.idleMs ?? defaultIdleMs).unref();
  }

  #onDeath({ startedAt, idle }: Running, error: Error): void {
    const { onDeath, onRested } = this.#options;
    clearTimeout(idle);
    this.#running = null;
    this.#deaths = Date.now() - startedAt > healthyAfterMs ? 1 : this.#deaths + 1;
    const restMs =
      onRested === undefined ? 0 : Math.min(maxRestMs, minRestMs * 2 ** (this.#deaths - 1));
    if (onRested !== undefined)
      this.#rest = setTimeout(() => {
        this.#rest = undefined;
        onRested();
      }, restMs);
    onDeath(error, restMs);
  }
}
