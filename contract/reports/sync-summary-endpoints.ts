/** The daily summary of all syncs, emailed to each administrator who requests it. */
import { z } from 'zod';
import { defineEndpoint } from '../base/endpoint.ts';
import { BrowserZone, HourOfDay } from './alert-endpoints.ts';

export const SyncSummarySetting = z.strictObject({
  enabled: z.boolean(),
  hour: HourOfDay,
  timeZone: BrowserZone,
});
export type SyncSummarySetting = z.infer<typeof SyncSummarySetting>;

/** The default hour. */
export const defaultSummaryHour = 7;

const SyncSummaryReply = z.object({
  enabled: z.boolean(),
  hour: HourOfDay,
  /** Null while it is off. */
  nextAt: z.number().nullable(),
  /** No email is sent while this is false. */
  mailConfigured: z.boolean(),
});
export type SyncSummaryReply = z.infer<typeof SyncSummaryReply>;

const own = { tag: 'Alerts', access: 'admin', path: '/syncsummary' } as const;

export const syncSummaryEndpoint = defineEndpoint({
  ...own,
  name: 'sync_summary',
  summary: 'Whether and when the current user receives the daily summary of all syncs',
  method: 'GET',
  reply: SyncSummaryReply,
});

export const saveSyncSummaryEndpoint = defineEndpoint({
  ...own,
  name: 'save_sync_summary',
  summary: 'Enable or disable the daily summary of all syncs for the current user',
  method: 'PUT',
  body: SyncSummarySetting,
  reply: SyncSummaryReply,
});
