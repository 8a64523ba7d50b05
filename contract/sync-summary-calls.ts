/** The daily summary of all syncs, by mail to each administrator who wants it. */
import { z } from 'zod';
import { BrowserZone, HourOfDay } from './alert-calls.ts';
import { defineCall } from './call.ts';
import { noBody, noParams, noQuery } from './no-input.ts';

export const SyncSummarySetting = z.strictObject({ enabled: z.boolean(), hour: HourOfDay, timeZone: BrowserZone });
export type SyncSummarySetting = z.infer<typeof SyncSummarySetting>;

/** At which hour it comes to whoever has not chosen one. */
export const usualSummaryHour = 7;

const SyncSummaryReply = z.object({
  enabled: z.boolean(),
  hour: HourOfDay,
  /** Null while it is off. */
  nextAt: z.number().nullable(),
  /** While it is not, no mail leaves. */
  mailConfigured: z.boolean(),
});
export type SyncSummaryReply = z.infer<typeof SyncSummaryReply>;

const own = { tag: 'Alerts', access: 'admin', path: '/syncsummary', params: noParams, query: noQuery, body: noBody } as const;

export const syncSummaryCall = defineCall({
  ...own,
  name: 'sync_summary',
  summary: 'Whether the daily summary of all syncs comes to oneself, and when',
  method: 'GET',
  reply: SyncSummaryReply,
});

export const saveSyncSummaryCall = defineCall({
  ...own,
  name: 'save_sync_summary',
  summary: 'Have the daily summary of all syncs sent to oneself, or not',
  method: 'PUT',
  body: SyncSummarySetting,
  reply: SyncSummaryReply,
});
