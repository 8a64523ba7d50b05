/** Runs one job and reports to its owner: progress, then done or failed. */

import { errorCode } from '@patch/contract/base/error-code.ts';
import type { BundleReport } from '@patch/contract/operations/bundle-endpoints.ts';
import { serverDatabase } from '../../platform/database/server-database.ts';
import { OutOfSpaceError } from '../../platform/files/atomic-file.ts';
import { withSnapshot } from '../backup/dumped-tables-store.ts';
import { BundleRefused } from './bundle-manifest.ts';
import type { JobKind, JobProgress } from './download-job-store.ts';
import { bundleJob, dumpJob, logJob } from './file-jobs.ts';
import { importJob } from './import-job.ts';
import type { JobContext, JobDone, JobWork } from './job-context.ts';
import { supportJob } from './support-job.ts';

export interface JobThreadStart
  extends Pick<
    JobContext,
    'dataDir' | 'options' | 'path' | 'room' | 'askedBy' | 'secretKey' | 'config'
  > {
  readonly databaseUrl: string;
  readonly kind: JobKind;
}

/** Messages of the thread. Its owner sends only the request to stop. */
export type JobThreadEvent =
  | ({ readonly kind: 'progress' } & JobProgress)
  | {
      readonly kind: 'done';
      readonly message: string;
      readonly bytes: number;
      readonly rows: number;
      readonly report: BundleReport | null;
    }
  /** @param detail For the log; null when the file or the request is at fault. */
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly detail: string | null;
      readonly rows: number;
    };

/** Receives the job's messages, and can request its end by any message. */
interface JobOwner {
  postMessage(event: JobThreadEvent): void;
  on(name: 'message', listener: () => void): unknown;
  close(): void;
}

const jobWorks: Readonly<Record<JobKind, JobWork>> = {
  database_dump: dumpJob,
  catalogue_bundle: bundleJob,
  logs: logJob,
  support_bundle: supportJob,
  bundle_import: importJob,
};

const connections = 3;
const progressIntervalMs = 300;

export async function runJob(owner: JobOwner, start: JobThreadStart): Promise<void> {
  const post = (event: JobThreadEvent) => owner.postMessage(event);
  const database = serverDatabase({ url: start.databaseUrl, connections, statementTimeout: 0 });
  const ended = new AbortController();
  owner.on('message', () => ended.abort(new Error('The job was cancelled')));
  const { kind } = start;
  const current = { stage: '', rows: 0, total: 0, bytes: 0 };
  const timer = setInterval(() => post({ kind: 'progress', ...current }), progressIntervalMs);
  try {
    const done: JobDone = await jobWorks[kind]({
      ...start,
      database,
      snapshot: (reading) => withSnapshot(database, reading),
      signal: ended.signal,
      clock: Date.now,
      progress: {
        enter: (stage) => void (current.stage = stage),
        total: (rows) => void (current.total = rows),
        rows: (more) => void (current.rows += more),
        bytes: (bytes) => void (current.bytes = bytes),
      },
    });
    post({
      kind: 'done',
      message: done.message,
      bytes: done.bytes,
      rows: current.rows,
      report: done.report ?? null,
    });
  } catch (error) {
    const { message, detail } = describeFailure(error);
    post({ kind: 'failed', message, detail, rows: current.rows });
  } finally {
    clearInterval(timer);
    await database.close();
    owner.close();
  }
}

function describeFailure(error: unknown): {
  readonly message: string;
  readonly detail: string | null;
} {
  if (error instanceof OutOfSpaceError)
    return {
      message:
        'The files of downloads would exceed their size limit. Remove some, or set DOWNLOADS_GB higher.',
      detail: null,
    };
  if (error instanceof BundleRefused) return { message: error.message, detail: null };
  const words = error instanceof Error ? error.message : String(error);
  const full = errorCode(error) === 'ENOSPC';
  return {
    message: full
      ? 'The disk of DATA_DIR is full. Free some space, then start it again.'
      : `${words.replace(/\.?$/, '.')} See the log for details.`,
    detail: error instanceof Error ? (error.stack ?? error.message) : words,
  };
}
