/** Runs the jobs of this data folder, one at a time, each in its own thread; deletes expired files. */
import { Worker } from 'node:worker_threads';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/database/database.ts';
import type { EmbeddedDatabase } from '../../platform/database/embedded-database.ts';
import { FolderInUse, type FolderLock, lockFolder } from '../../platform/database/folder-lock.ts';
import type { Log } from '../../platform/logging/logging.ts';
import type { ServiceSigner } from '../../platform/secrets/service-signer.ts';
import { readSettings } from '../../platform/settings/settings-store.ts';
import { removeSnapshots } from '../backup/snapshot.ts';
import { bundleSigner } from './bundle-signature.ts';
import { type DownloadFolder, openDownloadFolder } from './download-folder.ts';
import {
  endJob,
  expiredJobs,
  interruptJobs,
  type Job,
  type JobEnd,
  jobIdsOfPlace,
  noteJob,
  removeJob,
  takeJob,
} from './download-job-store.ts';
import type { JobNews, JobThreadStart } from './download-thread.ts';
import { supportConfig } from './support-config.ts';

export interface Downloads extends DownloadFolder {
  readonly maxBytes: number;
  readonly signer: ServiceSigner;
  /** When a file that is made now expires. */
  expiry(now: number): Promise<number>;
  /** Call when there is a new job. */
  readonly look: () => void;
  /** Cancels the job. If another process runs it, that process cancels it at its next poll. */
  cancel(id: number): void;
  /** The running job is marked as interrupted. */
  stop(): Promise<void>;
}

export interface DownloadsParts {
  readonly database: Database | EmbeddedDatabase;
  readonly config: Config;
  /** The service's key. */
  readonly key: Uint8Array;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly clock?: () => number;
}

const round = 15_000;
const day = 24 * 3_600_000;
const patience = 5_000;

interface Running {
  readonly job: Job;
  readonly thread: Worker;
  cancelled: boolean;
}

export async function startDownloads({
  database,
  config,
  key,
  log,
  clock = Date.now,
}: DownloadsParts): Promise<Downloads> {
  const files = openDownloadFolder(config.dataDir);
  const maxBytes = config.downloadsGigabytes * 1024 ** 3;
  const expiry = async (now: number) =>
    now + (await readSettings(database)).downloadsKeptDays * day;
  let lock: FolderLock | null = null;
  let running: Running | null = null;
  const stop = new AbortController();
  let again = false;
  let working: Promise<void> | null = null;

  /** Of several processes on the folder one does the work; if it ends, another takes over and knows that all running jobs are dead. */
  async function isOurTurn(): Promise<boolean> {
    if (lock !== null) return true;
    try {
      lock = lockFolder(files.folder);
    } catch (error) {
      if (error instanceof FolderInUse) return false;
      throw error;
    }
    await removeSnapshots(config.dataDir);
    await files.sweep(await jobIdsOfPlace(database, files.place));
    return true;
  }

  async function workOff(): Promise<void> {
    do {
      again = false;
      if (!(await isOurTurn())) return;
      // Nothing runs here now: a job in state running died with its process, or its end could not be written.
      const now = clock();
      await interruptJobs(database, files.place, now, await expiry(now));
      for (const id of await expiredJobs(database, files.place, clock())) {
        await files.remove(id);
        await removeJob(database, id);
      }
      for (
        let job = stop.signal.aborted ? null : await takeJob(database, files.place, clock());
        job !== null;
      ) {
        await runJob(job);
        job = stop.signal.aborted ? null : await takeJob(database, files.place, clock());
      }
    } while (again && !stop.signal.aborted);
  }

  async function runJob(job: Job): Promise<void> {
    log.info({ job: job.id, kind: job.kind, askedBy: job.askedBy }, 'a download began');
    const end = await endOf(job);
    // A terminated thread has cleaned up nothing.
    await removeSnapshots(config.dataDir);
    const now = clock();
    if (!keepsFile(job, end)) await files.remove(job.id);
    await endJob(database, job.id, end, now, await expiry(now));
    log.info(
      { job: job.id, kind: job.kind, state: end.state, bytes: end.bytes, rows: end.rows },
      'a download ended',
    );
  }

  async function endOf(job: Job): Promise<JobEnd> {
    const path = files.fileOf(job.id);
    const port = 'port' in database ? database.port({ priority: 'background' }) : null;
    const thread = new Worker(new URL('./download-thread.ts', import.meta.url), {
      workerData: {
        kind: job.kind,
        port,
        databaseUrl: config.databaseUrl,
        dataDir: config.dataDir,
        options: job.options,
        path,
        room: Math.max(0, maxBytes - (await files.usedBytes())),
        askedBy: job.askedBy,
        secretKey: key,
        config: supportConfig(config),
      } satisfies JobThreadStart,
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
      transferList: port === null ? [] : [port],
      name: 'download',
    });
    const own: Running = { job, thread, cancelled: false };
    running = own;
    const last = { rows: 0, bytes: 0 };
    let noting = Promise.resolve();
    const done = new Promise<JobEnd>((resolve) => {
      let told: JobEnd | null = null;
      let cause: unknown;
      thread.on('message', (news: JobNews) => {
        if (news.is === 'progress') {
          last.rows = news.rows;
          last.bytes = news.bytes;
          noting = noting
            .then(
              async () => void ((await noteJob(database, job.id, news, clock())) && cancel(own)),
            )
            .catch(() => undefined);
        } else if (news.is === 'done') {
          told = {
            state: 'done',
            message: news.message,
            rows: news.rows,
            bytes: news.bytes,
            report: news.report,
          };
        } else {
          told = {
            state: own.cancelled ? 'cancelled' : 'failed',
            message: own.cancelled ? 'Cancelled.' : news.message,
            ...last,
          };
          if (news.detail !== null && !own.cancelled)
            log.error({ job: job.id, kind: job.kind, detail: news.detail }, 'a download failed');
        }
      });
      thread.on('error', (error: unknown) => {
        cause = error;
      });
      thread.on('exit', () => {
        if (told?.state === 'done' || (told !== null && !stop.signal.aborted)) resolve(told);
        else if (stop.signal.aborted)
          resolve({
            state: 'interrupted',
            message: 'The server was stopped while this ran. Start it again.',
            ...last,
          });
        else if (own.cancelled) resolve({ state: 'cancelled', message: 'Cancelled.', ...last });
        else {
          log.error({ job: job.id, kind: job.kind, err: cause }, 'a download crashed');
          resolve({
            state: 'failed',
            message: 'The job ended unexpectedly. See the log for details.',
            ...last,
          });
        }
      });
    });
    const end = await done;
    running = null;
    await noting;
    return end;
  }

  /** It is asked to stop, and terminated if it does not. */
  function cancel(own: Running): void {
    if (own.cancelled) return;
    own.cancelled = true;
    endThread(own.thread);
  }

  function endThread(thread: Worker): void {
    thread.postMessage('end');
    const patient = setTimeout(() => void thread.terminate(), patience);
    thread.once('exit', () => clearTimeout(patient));
  }

  function look(): void {
    if (working !== null) again = true;
    else if (!stop.signal.aborted)
      working = workOff()
        .catch((error: unknown) =>
          log.warn({ err: error }, 'could not check for waiting downloads'),
        )
        .finally(() => {
          working = null;
          if (again) look();
        });
  }

  const rounds = setInterval(look, round).unref();
  // Before anyone lists jobs: what a dead process left running is not running.
  if (await isOurTurn()) {
    const now = clock();
    await interruptJobs(database, files.place, now, await expiry(now));
  }
  look();
  return {
    ...files,
    maxBytes,
    signer: bundleSigner(key),
    expiry,
    look,
    cancel(id) {
      const own = running as Running | null;
      if (own?.job.id === id) cancel(own);
    },
    async stop() {
      stop.abort();
      clearInterval(rounds);
      if (running !== null) endThread((running as Running).thread);
      await working;
      lock?.release();
      lock = null;
    },
  };
}

/** An upload is kept until it is applied; a rejected one is deleted. */
function keepsFile({ kind, options }: Job, { state }: JobEnd): boolean {
  if (kind !== 'bundle_import') return state === 'done';
  return (state === 'done') !== (options['step'] === 'apply');
}
