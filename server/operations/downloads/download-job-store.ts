/**
 * Database access for jobs that create or import files. Several processes may queue jobs; the processes of one data folder run
 * its jobs, one at a time.
 */
import { type BundleImport, BundleReport } from '@patch/contract/operations/bundle-endpoints.ts';
import {
  Download,
  type DownloadKind,
  type DownloadState,
  downloadKinds,
} from '@patch/contract/operations/download-endpoints.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import { countRows } from '../../platform/database/counted-rows.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { IdRow, jsonObject, openWord } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { withoutNul } from '../../platform/database/rows/stored-row.ts';
import {
  cancelIfQueued,
  isActive,
  isSilent,
  takeFirst,
} from '../../platform/queues/leased-row-store.ts';

export type JobKind = DownloadKind | 'bundle_import';
export type ImportStep = BundleImport['step'];

export interface NewJob {
  readonly kind: JobKind;
  readonly place: string;
  readonly options: object;
  readonly about: string;
  readonly askedBy: string;
  readonly fileName: string;
  readonly bytes?: number;
}

export const Job = Download.omit({ kind: true }).extend({
  kind: openWord<JobKind>(),
  place: z.string(),
  options: jsonObject,
  report: BundleReport.nullable(),
});
export type Job = z.infer<typeof Job>;

export interface JobProgress {
  readonly stage: string;
  readonly rows: number;
  readonly total: number;
  readonly bytes: number;
}

const jobColumns = `id, kind, place, options, about, state, asked_by as "askedBy", asked_time as "askedAt", started_time as "startedAt",
  ended_time as "endedAt", expires_time as "expiresAt", file_name as "fileName", bytes, rows, total, stage, message, report`;

export async function addJob(database: Queryable, job: NewJob, now: number): Promise<Job> {
  const rows = await queryRows(
    database,
    Job,
    `insert into download_job (kind, place, options, about, asked_by, asked_time, file_name, bytes)
     values ($1, $2, $3::jsonb, $4, $5, $6, $7, $8) returning ${jobColumns}`,
    [
      job.kind,
      job.place,
      JSON.stringify(job.options),
      job.about,
      job.askedBy,
      now,
      job.fileName,
      job.bytes ?? 0,
    ],
  );
  if (rows[0] === undefined) throw new Error('The job was written and is not there');
  return rows[0];
}

export async function readJob(database: Queryable, id: number): Promise<Job | null> {
  const rows = await queryRows(
    database,
    Job,
    `select ${jobColumns} from download_job where id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

export async function readJobs(
  database: Queryable,
  kinds: readonly JobKind[],
): Promise<readonly Job[]> {
  return queryRows(
    database,
    Job,
    `select ${jobColumns} from download_job where kind = any($1::text[]) order by id desc limit 1000`,
    [arrayText(kinds)],
  );
}

export const readDownloads = (database: Queryable) => readJobs(database, downloadKinds);

export const countActiveJobs = (database: Queryable): Promise<number> =>
  countRows(database, `download_job where ${isActive}`);

/** Takes the job of this data folder that has waited longest; null when none waits. */
export const takeJob = (database: Queryable, place: string, now: number): Promise<Job | null> =>
  takeFirst(
    database,
    Job,
    {
      table: 'download_job',
      due: `place = $1 and state = 'queued'`,
      set: `state = 'running', started_time = $2, noted_time = $2, ended_time = null, message = '', stage = '', rows = 0, total = 0`,
      columns: jobColumns,
    },
    [place, now],
  );

const CancelRow = z.object({ cancelled: z.boolean() });

/** Returns whether the job was cancelled or removed. */
export async function recordProgress(
  database: Queryable,
  id: number,
  { stage, rows, total, bytes }: JobProgress,
  now: number,
): Promise<boolean> {
  const noted = await queryRows(
    database,
    CancelRow,
    `update download_job set stage = $2, rows = $3, total = $4, bytes = $5, noted_time = $6
     where id = $1 and state = 'running' returning cancel_asked as cancelled`,
    [id, stage, rows, total, bytes, now],
  );
  return noted[0]?.cancelled ?? true;
}

export interface JobEnd {
  readonly state: Exclude<DownloadState, 'queued' | 'running'>;
  readonly message: string;
  readonly rows: number;
  readonly bytes: number;
  readonly report?: BundleReport | null;
}

const maxMessageLength = 2000;

export async function endJob(
  database: Queryable,
  id: number,
  { state, message, rows, bytes, report }: JobEnd,
  now: number,
  expires: number,
): Promise<void> {
  await database.query(
    `update download_job set state = $2, message = $3, rows = $4, bytes = $5,
       total = case $2 when 'done' then $4 else total end, ended_time = $6, expires_time = $7, stage = '',
       report = coalesce($8::jsonb, report) where id = $1 and state = 'running'`,
    // A message may quote any file.
    [
      id,
      state,
      withoutNul(message).slice(0, maxMessageLength),
      rows,
      bytes,
      now,
      expires,
      report === undefined || report === null ? null : JSON.stringify(report),
    ],
  );
}

/** Cancels a waiting job at once and requests the end of a running one. Returns false when the job has ended. */
export async function requestJobCancel(
  database: Queryable,
  id: number,
  by: string,
  now: number,
  expires: number,
): Promise<boolean> {
  const { count } = await database.query(
    `update download_job set cancel_asked = true,
       ${cancelIfQueued({ message: '$2', ended_time: '$3::bigint', expires_time: '$4::bigint' })}
     where id = $1 and ${isActive}`,
    [id, `Cancelled by ${by} before it started.`, now, expires],
  );
  return count > 0;
}

/** Queues the application of an import that was checked, or that failed to apply. Returns false when it cannot be applied. */
export async function queueApply(
  database: Queryable,
  id: number,
  {
    by,
    accept,
    now,
  }: { readonly by: string; readonly accept: readonly string[]; readonly now: number },
): Promise<boolean> {
  const { count } = await database.query(
    `update download_job set state = 'queued', options = options || $4::jsonb, asked_by = $2, asked_time = $3, cancel_asked = false,
       started_time = null, ended_time = null, expires_time = null, message = ''
     where id = $1 and kind = 'bundle_import' and report is not null
       and (state = 'done' and options ->> 'step' = 'check' or state in ('failed', 'cancelled', 'interrupted') and options ->> 'step' = 'apply')`,
    [id, by, now, JSON.stringify({ step: 'apply', accept })],
  );
  return count > 0;
}

const maxSilenceMs = 5 * 60_000;
const dayMs = 24 * 3_600_000;

/**
 * Interrupts jobs that a dead process of this data folder left running, and jobs of other folders without progress for minutes.
 */
export async function interruptJobs(
  database: Queryable,
  place: string,
  now: number,
  expires: number,
): Promise<void> {
  await database.query(
    `update download_job set state = 'interrupted', ended_time = $2, expires_time = $3, stage = '',
       message = 'The server stopped while this ran, or lost its database. Start it again.' 
     where state = 'running' and (place = $1 or ${isSilent('coalesce(noted_time, started_time)', '$2', maxSilenceMs)})`,
    [place, now, expires],
  );
}

export async function removeJob(database: Queryable, id: number): Promise<boolean> {
  const { count } = await database.query(
    `delete from download_job where id = $1 and not (${isActive})`,
    [id],
  );
  return count > 0;
}

/** Returns expired jobs of this data folder, and of other folders after a day, since those folders no longer exist. */
export async function readExpiredJobIds(
  database: Queryable,
  place: string,
  now: number,
): Promise<readonly number[]> {
  const rows = await queryRows(
    database,
    IdRow,
    `select id from download_job where expires_time <= case place when $1 then $2::bigint else $3::bigint end and not (${isActive}) order by id`,
    [place, now, now - dayMs],
  );
  return rows.map(({ id }) => id);
}

/** Returns all jobs of this data folder: other files belong to no job. */
export async function readJobIds(database: Queryable, place: string): Promise<ReadonlySet<number>> {
  const rows = await queryRows(database, IdRow, 'select id from download_job where place = $1', [
    place,
  ]);
  return new Set(rows.map(({ id }) => id));
}
