/** Files that administrators have made: database dumps, catalogue bundles, logs, support bundles. Each is a job, its file kept for some days. */
import { sourceKeys } from '@patch/catalogue/definition/sources.ts';
import { z } from 'zod';
import { type ApiKeyScope, defineCall } from './call.ts';
import { noBody, noParams, noQuery } from './no-input.ts';

export const downloadKinds = ['database_dump', 'catalogue_bundle', 'logs', 'support_bundle'] as const;
export type DownloadKind = (typeof downloadKinds)[number];

/** A dump holds the hashes of all passwords: a person proves who they are to get one, an API key needs this scope beside that of the call. */
export const scopesOfProvenDownloads: Readonly<Partial<Record<DownloadKind, ApiKeyScope>>> = { database_dump: 'backup' };

export const downloadStates = ['queued', 'running', 'done', 'failed', 'cancelled', 'interrupted'] as const;
export type DownloadState = (typeof downloadStates)[number];

/** Lowest first. */
export const logLevelsAsked = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

const when = z.number().int().min(0).max(8_640_000_000_000_000).describe('Epoch milliseconds');

export const BundleOptions = z.strictObject({
  sources: z
    .array(z.enum(sourceKeys))
    .min(1, 'must name a family at least')
    .refine((sources) => new Set(sources).size === sources.length, 'must name each family once'),
  /** Only what has changed since this run began, and the run's own changes; it names the one source. Null: all that is listed. */
  sinceRun: z.number().int().positive().nullable().default(null),
});
export type BundleOptions = z.infer<typeof BundleOptions>;

export const LogOptions = z.strictObject({
  /** The first and the last moment; null: as far as there are logs. */
  from: when.nullable().default(null),
  to: when.nullable().default(null),
  /** The least weighty level that is wanted. */
  level: z.enum(logLevelsAsked).default('trace'),
  /** Lines of this request alone; empty: of all. */
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
  { error: ({ code }) => (code === 'invalid_union' ? `must be one of: ${downloadKinds.join(', ')}` : undefined) },
);
export type NewDownload = z.infer<typeof NewDownload>;

/** What is said of every job, of downloads and of imports. */
export const jobShape = {
  id: z.number().int(),
  state: z.enum(downloadStates),
  askedBy: z.string(),
  askedAt: when,
  startedAt: when.nullable(),
  endedAt: when.nullable(),
  /** When it is removed, with its file; null until it has ended. */
  expiresAt: when.nullable(),
  fileName: z.string(),
  bytes: z.number().int().describe('Of the file, as far as it is written'),
  rows: z.number().int().describe('Rows or lines so far'),
  total: z.number().int().describe('Rows in all; 0 while it is not known'),
  /** What it is doing: 'Writing almalinux_patch'. Empty once it has ended. */
  stage: z.string(),
  /** How it ended, in a sentence; why it failed and what to do. */
  message: z.string(),
} as const;

export const Download = z.object({
  ...jobShape,
  kind: z.enum(downloadKinds),
  /** What was asked for, in words: 'AlmaLinux, since run 12'. */
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

export const newDownloadCall = defineCall({
  name: 'new_download',
  summary:
    'Have a file made; 409 while too many wait. For a database dump a person proves who they are first, and an API key needs the scope backup as well',
  tag,
  method: 'POST',
  path: '/downloads',
  access: 'admin',
  scope: 'manage',
  params: noParams,
  query: noQuery,
  body: NewDownload,
  reply: Download,
  status: 202,
});

export const downloadsCall = defineCall({
  name: 'downloads',
  summary: 'The files that were asked for, newest first, each with how far it is',
  tag,
  method: 'GET',
  path: '/downloads',
  access: 'admin',
  scope: 'manage',
  params: noParams,
  query: noQuery,
  body: noBody,
  reply: z.object({
    objList: z.array(Download),
    totalCount: z.number().int(),
    keptDays: z.number().int().describe('For how long a file is kept'),
    usedBytes: z.number().int().describe('All files that are kept, uploads included'),
    mostBytes: z.number().int().describe('What they may take together'),
  }),
});

export const cancelDownloadCall = defineCall({
  name: 'cancel_download',
  summary: 'Cancel a download or an import that waits or runs; 409 when it has ended',
  tag,
  method: 'POST',
  path: '/downloads/{id}/cancel',
  access: 'admin',
  scope: 'manage',
  params: JobId,
  query: noQuery,
  body: noBody,
  reply: z.object({ message: z.string() }),
  status: 202,
});

export const deleteDownloadCall = defineCall({
  name: 'delete_download',
  summary: 'Remove a download or an import that has ended, with its file',
  tag,
  method: 'DELETE',
  path: '/downloads/{id}',
  access: 'admin',
  scope: 'manage',
  params: JobId,
  query: noQuery,
  body: noBody,
  reply: z.object({ message: z.string() }),
});

export const downloadTicketCall = defineCall({
  name: 'download_ticket',
  summary: 'Ask for the file of a download that is done',
  tag,
  method: 'POST',
  path: '/downloads/{id}/ticket',
  access: 'admin',
  scope: 'manage',
  params: JobId,
  query: noQuery,
  body: noBody,
  /** `path` is below /api, good once and for a minute, without a token. */
  reply: z.object({ path: z.string(), fileName: z.string(), bytes: z.number().int() }),
  status: 201,
});

export const downloadFileCall = defineCall({
  name: 'download_file',
  summary: 'The file of a ticket',
  tag,
  method: 'GET',
  path: '/downloads/files/{ticket}',
  secretParams: ['ticket'],
  access: 'public',
  params: z.object({ ticket: z.string().regex(/^[\w-]{43}$/, 'is no ticket') }),
  query: noQuery,
  body: noBody,
  reply: z.string(),
  streams: 'file',
});
