/** Routes for downloads: create, list, cancel, remove, and fetch with a ticket. */
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';
import { type SourceKey, sourceLabels } from '@patch/catalogue/sources.ts';
import type { Endpoint } from '@patch/contract/base/endpoint.ts';
import { utcMinute } from '@patch/contract/dates/utc-minute.ts';
import {
  cancelDownloadEndpoint,
  type Download,
  type DownloadKind,
  deleteDownloadEndpoint,
  downloadFileEndpoint,
  downloadsEndpoint,
  downloadTicketEndpoint,
  type LogOptions,
  type NewDownload,
  newDownloadEndpoint,
  scopesOfProvenDownloads,
} from '@patch/contract/operations/download-endpoints.ts';
import { readRun } from '../../ingest/runs/run-store.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import {
  type EndpointRequest,
  FileStream,
  type RouteRegistrar,
} from '../../platform/http/route.ts';
import { readSettings } from '../../platform/settings/settings-store.ts';
import {
  addJob,
  countActiveJobs,
  type Job,
  readDownloads,
  readJob,
  removeJob,
  requestJobCancel,
} from './download-job-store.ts';
import { addDownloadTicket, takeDownloadTicket } from './download-ticket-store.ts';
import type { Downloads } from './start-downloads.ts';

export interface DownloadRoutes {
  readonly database: Database;
  /** Null: this process makes no downloads. */
  readonly downloads: Downloads | null;
  readonly clock: () => number;
}

const ticketTtlMs = 60_000;
/** Limits waiting and running jobs of all users together. */
const maxActiveJobs = 20;

export const noSuchJob = () =>
  new AppError(
    'no_such_download',
    'This download no longer exists. It was removed or has expired.',
  );

export function requireDownloads(downloads: Downloads | null): Downloads {
  if (downloads === null)
    throw new AppError('no_downloads', 'This process of the service makes no downloads.');
  return downloads;
}

export async function assertWithinLimit(database: Database): Promise<void> {
  if ((await countActiveJobs(database)) >= maxActiveJobs)
    throw new AppError(
      'too_many_downloads',
      `${maxActiveJobs} downloads are already waiting. Wait until some have finished, or cancel some.`,
    );
}

export function downloadRoutes(
  route: RouteRegistrar,
  { database, downloads, clock }: DownloadRoutes,
): void {
  route(newDownloadEndpoint, async (request) => {
    const { body } = request;
    requireProofFor(body.kind, request);
    const here = requireDownloads(downloads);
    await assertWithinLimit(database);
    const now = clock();
    const about = await describeRequest(database, body);
    const fileName = toFileName(body.kind, now);
    const job = await addJob(
      database,
      { ...body, place: here.place, about, askedBy: requireUser(request).name, fileName },
      now,
    );
    request.changed({
      subject: `download ${job.id}`,
      after: { kind: body.kind, about, options: body.options },
    });
    here.look();
    return toDownload(job);
  });

  route(downloadsEndpoint, async () => {
    const jobs = await readDownloads(database);
    const { downloadsKeptDays: keptDays } = await readSettings(database);
    const usedBytes = (await downloads?.usedBytes()) ?? 0;
    return {
      objList: jobs.map(toDownload),
      totalCount: jobs.length,
      keptDays,
      usedBytes,
      mostBytes: downloads?.maxBytes ?? 0,
    };
  });

  route(cancelDownloadEndpoint, async (request) => {
    const { id } = request.params;
    const job = (await readJob(database, id)) ?? refuseMissingJob();
    const now = clock();
    const expires = downloads === null ? now : await downloads.expiry(now);
    if (!(await requestJobCancel(database, id, requireUser(request).name, now, expires)))
      throw new AppError('download_ended', 'This download has already ended.');
    request.changed({
      subject: `download ${id}`,
      before: { state: job.state },
      after: { cancelled: true },
    });
    downloads?.cancel(id);
    return { message: job.state === 'queued' ? 'Cancelled.' : 'Cancelling.' };
  });

  route(deleteDownloadEndpoint, async (request) => {
    const { id } = request.params;
    const job = (await readJob(database, id)) ?? refuseMissingJob();
    if (!(await removeJob(database, id)))
      throw new AppError(
        'download_running',
        'This download is still running. Cancel it first, then remove it.',
      );
    // A file of another data folder is removed by its own process.
    if (job.place === downloads?.place) await downloads.remove(id);
    request.changed({
      subject: `download ${id}`,
      before: { kind: job.kind, about: job.about, fileName: job.fileName },
    });
    return { message: `${job.fileName} was removed.` };
  });
  downloadFileRoutes(route, { database, downloads, clock });
}

/** Routes to fetch a file with a ticket, which authenticates in the address instead of a session. */
function downloadFileRoutes(
  route: RouteRegistrar,
  { database, downloads, clock }: DownloadRoutes,
): void {
  route(downloadTicketEndpoint, async (request) => {
    const job = (await readJob(database, request.params.id)) ?? refuseMissingJob();
    if (job.kind === 'bundle_import') refuseMissingJob();
    requireProofFor(job.kind, request);
    if (job.state !== 'done')
      throw new AppError('download_not_done', 'The file is not ready, or no longer exists.');
    const bytes = await readFileSize(job, downloads);
    const ticket = randomBytes(32).toString('base64url');
    const now = clock();
    const { id: userId } = requireUser(request);
    const expires = now + ticketTtlMs;
    await addDownloadTicket(
      database,
      { ticketHash: sha256Hex(ticket), jobId: job.id, userId, expires },
      now,
    );
    request.changed({ subject: `download ${job.id}`, after: { fetched: job.fileName } });
    return { path: `/downloads/files/${ticket}`, fileName: job.fileName, bytes };
  });

  route(downloadFileEndpoint, async ({ params: { ticket }, findSight }) => {
    const taken = await takeDownloadTicket(database, sha256Hex(ticket), clock());
    const sight = taken && (await findSight(downloadTicketEndpoint, taken.userId));
    const job = taken && sight && (await readJob(database, taken.jobId));
    if (job === null)
      throw new AppError(
        'no_such_ticket',
        'This download link has been used or has expired. Download the file again.',
      );
    const bytes = await readFileSize(job, downloads);
    return new FileStream(
      job.fileName,
      mimeType(job.fileName),
      createReadStream(requireDownloads(downloads).filePath(job.id)),
      bytes,
    );
  });
}

async function readFileSize({ id, place }: Job, downloads: Downloads | null): Promise<number> {
  const here = requireDownloads(downloads);
  if (place !== here.place)
    throw new AppError(
      'file_elsewhere',
      'Another process of the service, with its own data folder, has the file. Try again.',
    );
  const file = await stat(here.filePath(id)).catch(() => null);
  if (file === null)
    throw new AppError(
      'file_gone',
      'The file is missing from the data folder. Create the download again.',
    );
  return file.size;
}

function requireProofFor(
  kind: DownloadKind,
  { requireProof }: Pick<EndpointRequest<Endpoint>, 'requireProof'>,
): void {
  const scope = scopesOfProvenDownloads[kind];
  if (scope !== undefined) requireProof(scope);
}

function refuseMissingJob(): never {
  throw noSuchJob();
}

function toDownload({
  kind,
  place: _place,
  options: _options,
  report: _report,
  ...job
}: Job): Download {
  return { ...job, kind: kind as DownloadKind };
}

const names: Readonly<Record<DownloadKind, readonly [name: string, end: string]>> = {
  database_dump: ['database', 'sql.gz'],
  catalogue_bundle: ['catalogue-bundle', 'zip'],
  logs: ['logs', 'jsonl.gz'],
  support_bundle: ['support-bundle', 'zip'],
};

/** Returns names such as database-2026-11-21T0507Z.sql.gz. */
function toFileName(kind: DownloadKind, now: number): string {
  const minute = new Date(now).toISOString().slice(0, 16).replace(':', '');
  const [name, end] = names[kind];
  return `${name}-${minute}Z.${end}`;
}

const mimeType = (fileName: string) =>
  fileName.endsWith('.zip') ? 'application/zip' : 'application/gzip';

/**
 * Describes the request for people.
 * @throws AppError when the request cannot be fulfilled.
 */
async function describeRequest(
  database: Database,
  { kind, options }: NewDownload,
): Promise<string> {
  switch (kind) {
    case 'database_dump':
      return 'The complete database as SQL';
    case 'support_bundle':
      return 'Versions, configuration, runs and warnings, without secrets';
    case 'logs':
      return describeLogs(options);
    case 'catalogue_bundle': {
      const families = options.sources.map((source) => sourceLabels[source]).join(', ');
      if (options.sinceRun === null) return families;
      const run = await readRun(database, options.sinceRun);
      if (run === null)
        throw new AppError(
          'unknown_download_run',
          `Run ${options.sinceRun} no longer exists. Request a full bundle.`,
        );
      if (options.sources.length > 1 || options.sources[0] !== (run.source as SourceKey))
        throw new AppError(
          'run_of_another_family',
          `Run ${run.id} belongs to ${sourceLabels[run.source]}: request only this family.`,
        );
      return `${families}, since run ${run.id}`;
    }
  }
}

function describeLogs({ from, to, level, requestId }: LogOptions): string {
  const words = [
    from === null ? '' : `from ${utcMinute(from)}`,
    to === null ? '' : `to ${utcMinute(to)}`,
    level === 'trace' ? '' : `${level} and above`,
    requestId === '' ? '' : `request ${requestId}`,
  ].filter((word) => word !== '');
  return words.length === 0 ? 'All lines' : words.join(', ');
}
