/**
 * Files for administrators: database dumps, catalogue bundles, logs, support bundles. Each is created by a job, and its file is
 * stored for some days.
 */
import { sourceKeys } from '@patch/catalogue/sources.ts';
import { z } from 'zod';
import { instant, Message, TicketParams } from '../base/common-schemas.ts';
import { type ApiKeyScope, defineEndpoint } from '../base/endpoint.ts';

export const downloadKinds = [
  'database_dump',
  'catalogue_bundle',
  'logs',
  'support_bundle',
] as const;
export type DownloadKind = (typeof downloadKinds)[number];

/**
 * Scopes beside that of the call. A dump contains the hashes of all passwords, so a person must prove their identity, and an API
 * key needs this scope.
 */
export const scopesOfProvenDownloads: Readonly<Partial<Record<DownloadKind, ApiKeyScope>>> = {
  database_dump: 'backup',
};

export const downloadStates = [
  'queued',
  'running',
  'done',
  'failed',
  'cancelled',
  'interrupted',
] as const;
export type DownloadState = (typeof downloadStates)[number];

/** Lowest first. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

export const BundleOptions = z.strictObject({
  sources: z
    .array(z.enum(sourceKeys))
    .min(1, 'must name at least one family')
    .refine((sources) => new Set(sources).size === sources.length, 'must name each family once'),
  /**
   * Includes only changes since this run began, and the run's own changes; requires exactly one source. Null includes everything
   * that is listed. Known exploited vulnerabilities and EPSS scores are always complete.
   */
  sinceRun: z.number().int().positive().nullable().default(null),
});
export type BundleOptions = z.infer<typeof BundleOptions>;

export const LogOptions = z.strictObject({
  /** The first and the last moment; null for no limit. */
  from: instant.nullable().default(null),
  to: instant.nullable().default(null),
  /** The lowest level to include. */
  level: z.enum(logLevels).default('trace'),
  /** Includes only lines of this request; empty for all. */
  requestId: z
    .string()
    .trim()
    .regex(/^[\w-]{0,50}$/, 'must be the id of a request, as an error message shows it')
    .default(''),
});
export type LogOptions = z.infer<typeof LogOptions>;

const nothing = z.strictObject({}).default({});

export const NewDownload = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('database_dump'), options: nothing }),
    z.strictObject({ kind: z.literal('catalogue_bundle'), options: BundleOptions }),
    z.strictObject({ kind: z.literal('logs'), options: LogOptions.prefault({}) }),
    z.strictObject({ kind: z.literal('support_bundle'), options: nothing }),
  ],
  {
    error: ({ code }) =>
      code === 'invalid_union' ? `must be one of: ${downloadKinds.join(', ')}` : undefined,
  },
);
export type NewDownload = z.infer<typeof NewDownload>;

/** Properties of every job, for downloads and imports. */
export const jobShape = {
  id: z.number().int(),
  state: z.enum(downloadStates),
  askedBy: z.string(),
  askedAt: instant,
  startedAt: instant.nullable(),
  endedAt: instant.nullable(),
  /** When it is removed with its file; null until it has ended. */
  expiresAt: instant.nullable(),
  fileName: z.string(),
  bytes: z.number().int().describe('Bytes of the file written so far'),
  rows: z.number().int().describe('Rows or lines so far'),
  total: z.number().int().describe('Total rows; 0 while unknown'),
  /** The current step: 'Writing almalinux_patch'. Empty once it has ended. */
  stage: z.string(),
  /** The result in a sentence, or the reason of a failure and what to do. */
  message: z.string(),
} as const;

export const Download = z.object({
  ...jobShape,
  kind: z.enum(downloadKinds),
  /** Describes the requested file: 'AlmaLinux, since run 12'. */
  about: z.string(),
});
export type Download = z.infer<typeof Download>;

export const JobId = z.object({
  id: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'must be a whole number')
    .transform(Number),
});

const tag = 'Downloads';

const admins = { tag, access: 'admin', scope: 'manage' } as const;

export const newDownloadEndpoint = defineEndpoint({
  ...admins,
  name: 'new_download',
  summary:
    'Request a file; 409 while too many are waiting. A database dump requires a recent proof of identity, or an API key with the additional scope backup',
  method: 'POST',
  path: '/downloads',
  body: NewDownload,
  reply: Download,
  status: 202,
});

export const downloadsEndpoint = defineEndpoint({
  ...admins,
  name: 'downloads',
  summary: 'Requested files, newest first, each with its progress',
  method: 'GET',
  path: '/downloads',
  reply: z.object({
    objList: z.array(Download),
    totalCount: z.number().int(),
    keptDays: z.number().int().describe('How long a file is kept'),
    usedBytes: z.number().int().describe('Size of all stored files, including uploads'),
    mostBytes: z.number().int().describe('The maximum total size'),
  }),
});

export const cancelDownloadEndpoint = defineEndpoint({
  ...admins,
  name: 'cancel_download',
  summary: 'Cancel a waiting or running download or import; 409 when it has ended',
  method: 'POST',
  path: '/downloads/{id}/cancel',
  params: JobId,
  reply: Message,
  status: 202,
});

export const deleteDownloadEndpoint = defineEndpoint({
  ...admins,
  name: 'delete_download',
  summary: 'Remove an ended download or import with its file',
  method: 'DELETE',
  path: '/downloads/{id}',
  params: JobId,
  reply: Message,
});

export const downloadTicketEndpoint = defineEndpoint({
  ...admins,
  name: 'download_ticket',
  summary: 'Request the file of a finished download',
  method: 'POST',
  path: '/downloads/{id}/ticket',
  params: JobId,
  /** `path` is below /api, and valid once within a minute, without a token. */
  reply: z.object({ path: z.string(), fileName: z.string(), bytes: z.number().int() }),
  status: 201,
});

export const downloadFileEndpoint = defineEndpoint({
  name: 'download_file',
  summary: 'The file of a ticket',
  tag,
  method: 'GET',
  path: '/downloads/files/{ticket}',
  secretParams: ['ticket'],
  once: true,
  access: 'public',
  params: TicketParams,
  reply: z.string(),
  streams: 'file',
});
