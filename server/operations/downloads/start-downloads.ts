/** Runs the jobs of this data folder, one at a time, each in its own thread; deletes expired files. */
import type { Config } from '../../platform/config/config.ts';
import { type Notifications, noNotifications } from '../../platform/database/notifications.ts';
import type { OpenDatabase } from '../../platform/database/schema/open-database.ts';
import { SharedRead } from '../../platform/database/shared-read.ts';
import type { Log } from '../../platform/logging/logging.ts';
import { FolderInUse, type FolderLock, lockFolder } from '../../platform/postgres/folder-lock.ts';
import type { ServiceSigner } from '../../platform/secrets/service-signer.ts';
import { readSettings } from '../../platform/settings/settings-store.ts';
import { bundleSigner } from './bundle-manifest.ts';
import { DownloadFolder } from './download-folder.ts';
import {
  endJob,
  interruptJobs,
  type Job,
  type JobEnd,
  readExpiredJobIds,
  readJobIds,
  recordProgress,
  removeJob,
  takeJob,
} from './download-job-store.ts';
import { DownloadJobThread, type StartThread } from './download-job-thread.ts';
import { supportConfig } from './support-config.ts';

export interface DownloadsParts {
  readonly database: OpenDatabase;
  readonly notifications?: Notifications;
  readonly config: Config;
  /** The service's key. */
  readonly key: Uint8Array;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly clock?: () => number;
  readonly startThread?: StartThread | undefined;
}

const dayMs = 24 * 3_600_000;

export const startDownloads = (parts: DownloadsParts): Promise<Downloads> =>
  DownloadRunner.start(parts);

export type Downloads = Pick<DownloadRunner, keyof DownloadRunner>;

class DownloadRunner extends DownloadFolder {
  readonly maxBytes: number;
  readonly signer: ServiceSigner;
  readonly #parts: DownloadsParts;
  readonly #clock: () => number;
  readonly #stop = new AbortController();
  readonly #looks = new SharedRead(() => this.#workOff());
  #unsubscribe: () => void = () => undefined;
  #lock: FolderLock | null = null;
  #running: DownloadJobThread | null = null;

  /** Interrupts dead jobs before anyone lists them. */
  static async start(parts: DownloadsParts): Promise<DownloadRunner> {
    const { notifications = noNotifications } = parts;
    const runner = new DownloadRunner(parts);
    if (await runner.#isOurTurn()) await runner.#interruptDead();
    runner.look();
    runner.#unsubscribe = notifications.subscribe(['downloads'], () => runner.look());
    return runner;
  }

  private constructor(parts: DownloadsParts) {
    super(parts.config.dataDir);
    this.#parts = parts;
    this.#clock = parts.clock ?? Date.now;
    this.maxBytes = parts.config.downloadsGigabytes * 1024 ** 3;
    this.signer = bundleSigner(parts.key);
  }

  /** Returns when a file created now expires. */
  async expiry(now: number): Promise<number> {
    return now + (await readSettings(this.#parts.database)).downloadsKeptDays * dayMs;
  }

  /** Call when a job was queued. */
  look(): void {
    this.#looks
      .now()
      .catch((error: unknown) =>
        this.#parts.log.warn({ err: error }, 'could not check for waiting downloads'),
      );
  }

  /** Cancels the job. If another process runs it, that process cancels it at its next progress report. */
  cancel(id: number): void {
    if (this.#running?.jobId === id) this.#running.cancel();
  }

  /** Interrupts the running job. */
  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#stop.abort();
    this.#running?.end();
    await this.#looks.now().catch(() => undefined);
    this.#lock?.release();
    this.#lock = null;
  }

  /**
   * One of several processes on the folder runs the jobs. When it ends, another takes over and knows that all running jobs are
   * dead.
   */
  async #isOurTurn(): Promise<boolean> {
    if (this.#lock !== null) return true;
    try {
      this.#lock = lockFolder(this.folder);
    } catch (error) {
      if (error instanceof FolderInUse) return false;
      throw error;
    }
    const { database } = this.#parts;
    await this.sweep(await readJobIds(database, this.place));
    return true;
  }

  async #workOff(): Promise<void> {
    if (this.#stop.signal.aborted || !(await this.#isOurTurn())) return;
    // No job runs here now: a job in state running died with its process, or its end could not be written.
    await this.#interruptDead();
    await this.#removeExpired();
    for (let job = await this.#nextJob(); job !== null; job = await this.#nextJob())
      await this.#run(job);
  }

  async #interruptDead(): Promise<void> {
    const now = this.#clock();
    await interruptJobs(this.#parts.database, this.place, now, await this.expiry(now));
  }

  async #removeExpired(): Promise<void> {
    const { database } = this.#parts;
    for (const id of await readExpiredJobIds(database, this.place, this.#clock())) {
      await this.remove(id);
      await removeJob(database, id);
    }
  }

  async #nextJob(): Promise<Job | null> {
    return this.#stop.signal.aborted
      ? null
      : takeJob(this.#parts.database, this.place, this.#clock());
  }

  async #run(job: Job): Promise<void> {
    const { database, log } = this.#parts;
    log.info({ job: job.id, kind: job.kind, askedBy: job.askedBy }, 'a download began');
    const end = await this.#execute(job);
    const now = this.#clock();
    if (!keepsFile(job, end)) await this.remove(job.id);
    await endJob(database, job.id, end, now, await this.expiry(now));
    log.info(
      { job: job.id, kind: job.kind, state: end.state, bytes: end.bytes, rows: end.rows },
      'a download ended',
    );
  }

  async #execute(job: Job): Promise<JobEnd> {
    const { database, config, key, log, startThread } = this.#parts;
    const path = this.filePath(job.id);
    const thread = new DownloadJobThread({
      job,
      log,
      stopping: this.#stop.signal,
      startThread,
      clock: this.#clock,
      saveProgress: (progress, now) => recordProgress(database, job.id, progress, now),
      start: {
        kind: job.kind,
        databaseUrl: database.url,
        dataDir: config.dataDir,
        options: job.options,
        path,
        room: Math.max(0, this.maxBytes - (await this.usedBytes())),
        askedBy: job.askedBy,
        secretKey: key,
        config: supportConfig(config),
      },
    });
    this.#running = thread;
    const end = await thread.ended;
    this.#running = null;
    return end;
  }
}

/** Returns whether the file is needed later: an upload until it is applied, other files when the job succeeded. */
function keepsFile({ kind, options }: Job, { state }: JobEnd): boolean {
  if (kind !== 'bundle_import') return state === 'done';
  return (state === 'done') !== (options['step'] === 'apply');
}
