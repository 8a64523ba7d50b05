/**
 * The sync settings of each source: whether, when and from where it is synced, its parts, and how much a publication may shrink
 * without approval.
 */
import { FetchProblem } from '@patch/catalogue/definition/document-failure.ts';
import { sourceKeys } from '@patch/catalogue/sources.ts';
import { z } from 'zod';
import { defineEndpoint } from '../base/endpoint.ts';
import { RunMirror } from './run-message.ts';

const OfSource = z.object({ source: z.enum(sourceKeys) });
const when = z.number().describe('Epoch milliseconds');

export const maxAddedParts = 50;
const PartKey = z.string().min(1).max(100);

/** The settings that an administrator may change. */
export const SourceSettings = z.strictObject({
  enabled: z.boolean(),
  schedule: z
    .string()
    .max(100)
    .nullable()
    .describe('Five-field cron, UTC; null: the default of the feed'),
  mirror: z
    .string()
    .max(2000)
    .nullable()
    .describe('http(s) address of a mirror for this source only; null: FEED_MIRROR'),
  leftOut: z
    .array(PartKey)
    .max(1000)
    .describe('Parts that are not followed. Their records stay as they are'),
  added: z
    .array(PartKey)
    .max(maxAddedParts)
    .describe('Parts that the feed can read but does not follow by default, such as a new release'),
  shrinkageShare: z
    .number()
    .int()
    .min(1)
    .max(100)
    .describe(
      'Percent of the records of a part that may be withdrawn, and of the content of a record that may be lost, without approval of an administrator',
    ),
});
export type SourceSettings = z.infer<typeof SourceSettings>;

export const standardShrinkageShare = 30;

export const SourceSettingsReply = z.object({
  settings: SourceSettings,
  /** The feed's default schedule. */
  standardSchedule: z.string(),
  /** The value of FEED_MIRROR; null for the vendor itself. */
  generalMirror: z.string().nullable(),
  /** Every part that can be followed: the feed's own, then those that an administrator added. */
  parts: z.array(
    z.object({
      key: z.string(),
      label: z.string(),
      added: z.boolean(),
      readAt: when.nullable().describe('When it was last read completely'),
    }),
  ),
  /** Describes the parts that may be added, with an example; null for none. */
  addable: z.string().nullable(),
  changedAt: when.nullable(),
  changedBy: z.string().nullable(),
});
export type SourceSettingsReply = z.infer<typeof SourceSettingsReply>;

const admins = { tag: 'Sync', access: 'admin', scope: 'manage' } as const;

export const sourceSettingsEndpoint = defineEndpoint({
  ...admins,
  name: 'source_settings',
  summary: 'The sync settings of a source',
  method: 'GET',
  path: '/patchsync/sources/{source}/settings',
  params: OfSource,
  reply: SourceSettingsReply,
});

export const saveSourceSettingsEndpoint = defineEndpoint({
  ...admins,
  name: 'save_source_settings',
  summary:
    'Change the sync settings of a source; omitted fields stay, and a running sync keeps the settings it started with',
  method: 'PUT',
  path: '/patchsync/sources/{source}/settings',
  params: OfSource,
  body: SourceSettings.partial(),
  reply: SourceSettingsReply,
});

export const MirrorTest = z.object({
  /** Null when no mirror is set and the vendor itself was requested. */
  mirror: RunMirror.nullable(),
  /** The vendor's address of the requested document. */
  url: z.string(),
  /** Null when the document arrives. */
  problem: FetchProblem.nullable(),
  milliseconds: z.number().int(),
  /** Bytes as served; null when the server does not say. */
  size: z.number().int().nullable(),
  /** JSON, gzip. Null with a problem. */
  format: z.string().nullable(),
});
export type MirrorTest = z.infer<typeof MirrorTest>;

export const testMirrorEndpoint = defineEndpoint({
  ...admins,
  name: 'test_mirror',
  summary:
    'Ask the mirror of a source, or the vendor where none is set, for the first document that a sync would fetch, or the one on which the last sync failed, for at most ten seconds',
  method: 'POST',
  path: '/patchsync/sources/{source}/mirror-test',
  reads: true,
  params: OfSource,
  reply: MirrorTest,
});

export const schedulePreviewEndpoint = defineEndpoint({
  name: 'schedule_preview',
  summary: 'The description of a schedule and its next five runs',
  tag: 'Sync',
  method: 'GET',
  path: '/patchsync/schedule',
  access: 'standard',
  machines: 'none',
  query: z.strictObject({ cron: z.string().max(100) }),
  reply: z.object({ words: z.string(), next: z.array(when) }),
});
