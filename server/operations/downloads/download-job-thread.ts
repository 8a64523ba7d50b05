/** Runs one job in a thread of its own, and reports its end, also when the thread crashed or was stopped. */
import { Worker } from 'node:worker_threads';
import type { Log } from '../../platform/logging/logging.ts';
import { LeaseKeeper } from '../../platform/queues/lease-keeper.ts';
import type { Job, JobEnd } from './download-job-store.ts';
import type { JobThreadEvent, JobThreadStart } from './run-job.ts';

type Progress = Extract<JobThreadEvent, { readonly kind: 'progress' }>;

/** The part of a Worker that a job needs. */
interface JobThread {
  on(name: 'message', listener: (event: JobThreadEvent) => void): unknown;
  on(name: 'error', listener: (error: unknown) => void): unknown;
  on(name: 'exit', listener: () => void): unknown;
  once(name: 'exit', listener: () => void): unknown;
  postMessage(message: 'end'): void;
  terminate(): Promise<unknown>;
}

/** Starts a thread that works on a job. */
export type StartThread = (start: JobThreadStart) => JobThread;

const startWorker: StartThread = (start) =>
  new Worker(new URL('./download-thread.ts', import.meta.url), {
    workerData: start,
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
    name: 'download',
  });

export interface DownloadJobThreadParts {
  readonly job: Job;
  readonly start: JobThreadStart;
  readonly log: Pick<Log, 'error'>;
  /** Aborted when the service stops: the job is then interrupted, not cancelled. */
  readonly stopping: AbortSignal;
  readonly clock: () => number;
  /** Returns whether the job was cancelled in the meantime. */
  readonly saveProgress: (progress: Progress, now: number) => Promise<boolean>;
  /** A worker thread, when absent. */
  readonly startThread?: StartThread | undefined;
}

/** Milliseconds that a thread has to end before it is terminated. */
const terminateAfterMs = 5_000;

export class DownloadJobThread {
  readonly ended: Promise<JobEnd>;
  readonly #parts: DownloadJobThreadParts;
  readonly #thread: JobThread;
  #cancelled = false;
  readonly #lease: LeaseKeeper;
  #progress: Progress;
  #reported: JobEnd | null = null;
  #cause: unknown;

  constructor(parts: DownloadJobThreadParts) {
    this.#parts = parts;
    // An import knows the size of its upload.
    const { bytes } = parts.job;
    this.#progress = { kind: 'progress', stage: '', rows: 0, total: 0, bytes };
    this.#thread = (parts.startThread ?? startWorker)(parts.start);
    this.#thread.on('message', (event: JobThreadEvent) => this.#receive(event));
    this.#thread.on('error', (error: unknown) => {
      this.#cause = error;
    });
    this.#lease = new LeaseKeeper(async (now) => {
      if (await parts.saveProgress(this.#progress, now)) this.cancel();
    }, parts.clock);
    const exit = new Promise<void>((resolve) => this.#thread.on('exit', resolve));
    this.ended = exit.then(() => this.#lease.end()).then(() => this.#endAtExit());
  }

  get jobId(): number {
    return this.#parts.job.id;
  }

  cancel(): void {
    if (this.#cancelled) return;
    this.#cancelled = true;
    this.end();
  }

  /** Requests the end of the thread, and terminates it after a time limit. */
  end(): void {
    this.#thread.postMessage('end');
    const timer = setTimeout(() => void this.#thread.terminate(), terminateAfterMs);
    this.#thread.once('exit', () => clearTimeout(timer));
  }

  #receive(event: JobThreadEvent): void {
    if (event.kind === 'progress') {
      this.#progress = event;
      this.#lease.noteProgress();
    } else if (event.kind === 'done') {
      const { message, rows, bytes, report } = event;
      this.#reported = { state: 'done', message, rows, bytes, report };
    } else {
      this.#reported = this.#cancelled
        ? this.#cancelledEnd()
        : { state: 'failed', message: event.message, ...this.#last };
      const { job, log } = this.#parts;
      if (event.detail !== null && !this.#cancelled)
        log.error({ job: job.id, kind: job.kind, detail: event.detail }, 'a download failed');
    }
  }

  get #last() {
    const { rows, bytes } = this.#progress;
    return { rows, bytes };
  }

  #endAtExit(): JobEnd {
    const { job, log, stopping } = this.#parts;
    const reported = this.#reported;
    if (reported?.state === 'done' || (reported !== null && !stopping.aborted)) return reported;
    if (stopping.aborted)
      return {
        state: 'interrupted',
        message: 'The server was stopped while this ran. Start it again.',
        ...this.#last,
      };
    if (this.#cancelled) return this.#cancelledEnd();
    log.error({ job: job.id, kind: job.kind, err: this.#cause }, 'a download crashed');
    return {
      state: 'failed',
      message: 'The job ended unexpectedly. See the log for details.',
      ...this.#last,
    };
  }

  #cancelledEnd(): JobEnd {
    return { state: 'cancelled', message: 'Cancelled.', ...this.#last };
  }
}
