/** Syncing the sources: the state of each, and starting and cancelling runs. */
import { sourceKeys } from '@patch/catalogue/sources.ts';
import { z } from 'zod';
import { defineEndpoint } from '../base/endpoint.ts';
import { QuarantineEntry } from './quarantine-entry.ts';
import { RunMessage, RunStage } from './run-message.ts';

export const runStates = [
  'queued',
  'running',
  'succeeded',
  'succeeded_with_warnings',
  'failed',
  'cancelled',
  'interrupted',
] as const;

export type RunState = (typeof runStates)[number];

export const RunState = z.enum(runStates);

export const Source = z.enum(sourceKeys);

export const when = z.number().describe('Epoch milliseconds');

export const Run = z.object({
  id: z.number().int(),
  source: Source,
  state: RunState,
  /** `schedule`, or the name of the user who requested it. */
  startedBy: z.string(),
  queuedAt: when,
  startedAt: when.nullable(),
  endedAt: when.nullable(),
  /** The current step; null while it is queued and once it has ended. */
  stage: RunStage.nullable(),
  /** n of m of the stage; m is 0 while unknown. Bytes while reading, records while writing. */
  done: z.number(),
  total: z.number(),
  added: z.number().int(),
  changed: z.number().int(),
  withdrawn: z.number().int(),
  unchanged: z.number().int(),
  rejected: z.number().int(),
  /** The result, or the reason of a failure and what to do; null until then. */
  message: RunMessage.nullable(),
  warnings: z.array(RunMessage),
});

export type Run = z.infer<typeof Run>;

/**
 * The history by the vendor's own release dates. A source reaches as far as its list that is furthest behind its own rhythm,
 * because today's records of other lists prove nothing for it. Days are UTC days. Records without a date, dated before 1970, or
 * dated more than a day ahead count only in `ahead`.
 */
export const ReleaseHistory = z.object({
  /** False when no list of the source has release dates. */
  isDated: z.boolean(),
  /** Label of the list that `newest`, `usualGapDays` and `daysKnown` refer to; null when the source has one dated list. */
  listLabel: z.string().nullable(),
  /** The record with the newest release date of the list; null when none is dated. */
  newest: z
    .object({
      releaseDate: when,
      list: z.string(),
      rowId: z.number().int(),
      /** The record's name for people. */
      identity: z.string(),
    })
    .nullable(),
  /** Median number of days between the newest 50 distinct days with records, at least 1; null when unknown. */
  usualGapDays: z.number().nullable(),
  /** Distinct days that the rhythm is based on, at most 50. */
  daysKnown: z.number().int(),
  /** Records dated more than a day ahead, and the latest of their dates; null without any. */
  ahead: z.object({ records: z.number().int(), latest: when }).nullable(),
  /** The beginning of the first of the 90 days in `perDay`; the last of them is today. */
  firstDay: when,
  /** Updates per day over all lists of the source; see `countedBy` of the lists. */
  perDay: z.array(z.number().int()),
});

export type ReleaseHistory = z.infer<typeof ReleaseHistory>;

/**
 * A followed part that was read before and could not be read again. Parts that were never read have no records; the run reports
 * them.
 */
export const UnreadPart = z.object({
  label: z.string(),
  /** When it was last read. */
  readAt: when,
});

export type UnreadPart = z.infer<typeof UnreadPart>;

export const SourceState = z.object({
  source: Source,
  label: z.string(),
  /** False when this version has no feed for the source. */
  available: z.boolean(),
  /** False when an administrator has switched it off, so that it is neither scheduled nor started. */
  enabled: z.boolean(),
  homepage: z.string().nullable(),
  /** The lists that it fills, by key, with their numbers of rows that are not withdrawn. */
  lists: z.array(z.object({ key: z.string(), label: z.string(), rows: z.number().int() })),
  schedule: z.string().nullable().describe('Five-field cron, UTC'),
  /** 'Every 4 hours at :35' */
  scheduleWords: z.string().nullable(),
  nextRunAt: when.nullable(),
  lastSuccessAt: when.nullable(),
  /** The part that the last successful run left unread for the longest time; null when it read all followed parts. */
  unread: UnreadPart.nullable(),
  /** The newest run; null when it was never synced. */
  run: Run.nullable(),
  /** Changes that an administrator must accept or reject. */
  quarantine: z.array(QuarantineEntry),
  releases: ReleaseHistory,
});

export type SourceState = z.infer<typeof SourceState>;

const users = { tag: 'Sync', access: 'standard', machines: 'none', scope: 'read' } as const;
const admins = { tag: 'Sync', access: 'admin', scope: 'sync' } as const;

export const sourcesEndpoint = defineEndpoint({
  ...users,
  name: 'sources',
  summary: 'Every source with its state',
  method: 'GET',
  path: '/patchsync/sources',
  reply: z.object({ objList: z.array(SourceState), totalCount: z.number().int() }),
});

/** The wire has the same calls under windows and linux. */
const PlatformParams = z.object({ prefix: z.enum(['windows', 'linux']) });

const ofService = z.strictObject({ service: Source });

export const startSyncEndpoint = defineEndpoint({
  ...admins,
  name: 'start_sync',
  summary: 'Start a sync; 409 while one runs',
  method: 'POST',
  path: '/{prefix}/patchsync/manual',
  params: PlatformParams,
  query: ofService,
  reply: Run,
  status: 202,
});

export const cancelSyncEndpoint = defineEndpoint({
  ...admins,
  name: 'cancel_sync',
  summary: 'Cancel the running sync; 409 when none is running',
  method: 'POST',
  path: '/{prefix}/patchsync/cancel',
  params: PlatformParams,
  query: ofService,
  reply: Run,
  status: 202,
});

export const isRunningEndpoint = defineEndpoint({
  ...users,
  name: 'is_sync_running',
  summary: 'Whether a sync is running',
  method: 'GET',
  path: '/{prefix}/patchsync/isrunning',
  params: PlatformParams,
  query: ofService,
  reply: z.object({ running: z.boolean(), run: Run.nullable() }),
});

export const SyncDetails = z.object({
  id: z.number().int(),
  ...(Object.fromEntries(sourceKeys.map((key) => [key, when.nullable()])) as Record<
    (typeof sourceKeys)[number],
    z.ZodNullable<z.ZodNumber>
  >),
});

export type SyncDetails = z.infer<typeof SyncDetails>;

/** The specification spells the path this way. */
export const syncDetailsEndpoint = defineEndpoint({
  ...users,
  name: 'sync_details',
  summary: 'When each source was last synced successfully',
  method: 'GET',
  path: '/{prefix}/patchsysncdetails',
  params: PlatformParams,
  reply: SyncDetails,
});

/** When the Linux package list was last synced. */
export const linuxLastUpdatedEndpoint = defineEndpoint({
  ...users,
  name: 'linux_last_updated',
  summary: 'When the Linux patch repository was last synced successfully',
  method: 'GET',
  path: '/linuxpatch/lastupdatedtime',
  reply: z.object({ lastUpdatedTime: when.nullable() }),
});
