/** How each source is synced, as administrators set it: whether, when, from where, which parts of it, and what of a shrunken publication is believed. */
import { sourceKeys } from '@patch/catalogue/definition/sources.ts';
import { z } from 'zod';
import { defineCall } from './call.ts';
import { noBody, noParams, noQuery } from './no-input.ts';
import { Run, SourceState } from './sync-calls.ts';

const OfSource = z.object({ source: z.enum(sourceKeys) });
const when = z.number().describe('Epoch milliseconds');

export const mostAddedParts = 50;
const PartKey = z.string().min(1).max(100);

/** What an administrator sets. */
export const SourceSettings = z.strictObject({
  enabled: z.boolean(),
  schedule: z.string().max(100).nullable().describe("Five-field cron, UTC; null: the feed's own"),
  mirror: z.string().max(2000).nullable().describe('http(s) address of a mirror for this source alone; null: as FEED_MIRROR says'),
  leftOut: z.array(PartKey).max(1000).describe('Parts that are not followed. Their records stay as they are'),
  added: z.array(PartKey).max(mostAddedParts).describe('Parts that the feed can read and does not follow by itself, such as a new release'),
  shrinkageShare: z
    .number()
    .int()
    .min(1)
    .max(100)
    .describe(
      'Percent of the records of a part that may be withdrawn, and of what a record holds that may be lost, before an administrator is asked',
    ),
});
export type SourceSettings = z.infer<typeof SourceSettings>;

export const standardShrinkageShare = 30;

export const SourceSettingsReply = z.object({
  settings: SourceSettings,
  /** The feed's own. */
  standardSchedule: z.string(),
  /** What FEED_MIRROR says; null: the vendor itself. */
  generalMirror: z.string().nullable(),
  /** Every part that can be followed, those that an administrator has added after the feed's own. */
  parts: z.array(
    z.object({ key: z.string(), label: z.string(), added: z.boolean(), readAt: when.nullable().describe('When it was last read whole') }),
  ),
  /** What may be added, in words with an example; null: nothing. */
  addable: z.string().nullable(),
  changedAt: when.nullable(),
  changedBy: z.string().nullable(),
});
export type SourceSettingsReply = z.infer<typeof SourceSettingsReply>;

export const sourceSettingsCall = defineCall({
  name: 'source_settings',
  summary: 'How a source is synced',
  tag: 'Sync',
  method: 'GET',
  path: '/patchsync/sources/{source}/settings',
  access: 'admin',
  scope: 'manage',
  params: OfSource,
  query: noQuery,
  body: noBody,
  reply: SourceSettingsReply,
});

export const saveSourceSettingsCall = defineCall({
  name: 'save_source_settings',
  summary: 'Set how a source is synced; what is absent stays as it is, and a run that is under way keeps what it began with',
  tag: 'Sync',
  method: 'PUT',
  path: '/patchsync/sources/{source}/settings',
  access: 'admin',
  scope: 'manage',
  params: OfSource,
  query: noQuery,
  body: SourceSettings.partial(),
  reply: SourceSettingsReply,
});

export const schedulePreviewCall = defineCall({
  name: 'schedule_preview',
  summary: 'A schedule in words and its next five times',
  tag: 'Sync',
  method: 'GET',
  path: '/patchsync/schedule',
  access: 'standard',
  params: noParams,
  query: z.strictObject({ cron: z.string().max(100) }),
  body: noBody,
  reply: z.object({ words: z.string(), next: z.array(when) }),
});

export const heldDecisions = ['withdraw', 'keep'] as const;

export const decideHeldCall = defineCall({
  name: 'decide_held',
  summary: 'Say what shall be done with records that a vendor lists no more; starts a run that does it',
  tag: 'Sync',
  method: 'POST',
  path: '/patchsync/sources/{source}/held',
  access: 'admin',
  scope: 'manage',
  params: OfSource,
  query: noQuery,
  body: z.strictObject({ part: PartKey, list: z.string().max(100), decision: z.enum(heldDecisions) }),
  reply: Run,
  status: 202,
});

export const contentDecisions = ['accept', 'keep'] as const;

export const decideHeldContentCall = defineCall({
  name: 'decide_held_content',
  summary: 'Accept that records lose content, or keep what is stored; starts a run that does it',
  tag: 'Sync',
  method: 'POST',
  path: '/patchsync/sources/{source}/held-content',
  access: 'admin',
  scope: 'manage',
  params: OfSource,
  query: noQuery,
  body: z.strictObject({ part: PartKey, list: z.string().max(100), decision: z.enum(contentDecisions) }),
  reply: Run,
  status: 202,
});

/** What `sync_events` sends: first all sources, then each whose state has changed. */
export const SyncEvent = z.discriminatedUnion('event', [
  z.object({ event: z.literal('sources'), data: z.object({ objList: z.array(SourceState) }) }),
  z.object({ event: z.literal('source'), data: SourceState }),
]);
export type SyncEvent = z.infer<typeof SyncEvent>;

export const syncEventsCall = defineCall({
  name: 'sync_events',
  summary: 'The state of the sources while it changes, as server-sent events',
  tag: 'Sync',
  method: 'GET',
  path: '/patchsync/events',
  access: 'standard',
  params: noParams,
  query: noQuery,
  body: noBody,
  reply: SyncEvent,
  streams: 'events',
});
