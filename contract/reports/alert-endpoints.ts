/** Alerts of saved views: emails about new records that match a view. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import { IdParams, Message } from '../base/common-schemas.ts';
import { defineEndpoint } from '../base/endpoint.ts';
import { isTimeZone } from '../dates/time-zone.ts';
import { isEmail } from '../form-rules/text-rules.ts';
import { RequestedViewSearch } from '../records/saved-view-endpoints.ts';

/** `digest` sends one email a day when there is news; `at_once` sends one after each sync with news. */
export const alertModes = ['digest', 'at_once'] as const;
export type AlertMode = (typeof alertModes)[number];

export const maxFurtherAddresses = 20;
/** Rows in an email; it states how many more there are. */
export const rowsInMail = 50;

/** Events that an alert can watch beside new records. */
export const riskEvents = ['exploited', 'epss'] as const;
export type RiskEvent = (typeof riskEvents)[number];

export const defaultEpssAbove = 0.5;

/** Returns the field by which each event can be watched; absent when the list has none. */
export function watchableEvents({
  fields,
}: Pick<ListDefinition, 'fields'>): Readonly<Partial<Record<RiskEvent, string>>> {
  const exploited = ['exploited', 'exploitedSince'].find((name) => Object.hasOwn(fields, name));
  return {
    ...(exploited !== undefined && { exploited }),
    ...(Object.hasOwn(fields, 'epss') && { epss: 'epss' }),
  };
}

/** An hour in the owner's time zone. */
export const HourOfDay = z
  .number()
  .int('must be a whole hour')
  .min(0, 'must be from 0 to 23')
  .max(23, 'must be from 0 to 23');

/** The browser's time zone, used while neither the user nor the service has one. */
export const BrowserZone = z
  .string()
  .max(100)
  .refine(isTimeZone, 'must be a time zone such as Europe/Istanbul');

export const AlertSetting = z.strictObject({
  mode: z.enum(alertModes),
  /** The hour of a digest. */
  hour: HourOfDay,
  timeZone: BrowserZone,
  /** Sends to the owner's current address. */
  ownAddress: z.boolean(),
  /** Only administrators may set further addresses. A valid address has no line breaks, which could inject another header. */
  furtherAddresses: z
    .array(z.string().trim().refine(isEmail, 'must be valid emails'))
    .max(maxFurtherAddresses, `may be at most ${maxFurtherAddresses}`)
    .default([]),
  channels: z
    .array(z.number().int().positive().max(Number.MAX_SAFE_INTEGER))
    .max(20, 'may be at most 20')
    .default([])
    .describe('Also send to these channels; only administrators may'),
  exploited: z
    .boolean()
    .default(false)
    .describe('Also report records of the view that become known exploited'),
  epssAbove: z
    .number()
    .min(0.01, 'must be from 0.01 to 0.99')
    .max(0.99, 'must be from 0.01 to 0.99')
    .nullable()
    .default(null)
    .describe('Also report records of the view whose highest EPSS rises over this; null: do not'),
});
export type AlertSetting = z.infer<typeof AlertSetting>;

export const ViewAlert = z.object({
  ...AlertSetting.shape,
  view: z.object({ id: z.number().int(), name: z.string(), list: z.string() }),
  /** When the view was last checked for news. */
  lookedAt: z.number(),
  /** Why the last email was not sent, or none can be; empty without a problem. The next email includes its records. */
  problem: z.string(),
});
export type ViewAlert = z.infer<typeof ViewAlert>;

const own = { tag: 'Alerts', access: 'standard', machines: 'own' } as const;

export const alertsEndpoint = defineEndpoint({
  ...own,
  name: 'alerts',
  summary: 'The current user’s alerts on saved views',
  method: 'GET',
  path: '/alerts',
  reply: z.object({
    objList: z.array(ViewAlert),
    totalCount: z.number().int(),
    /** No email is sent while this is false. */
    mailConfigured: z.boolean(),
  }),
});

export const setAlertEndpoint = defineEndpoint({
  ...own,
  name: 'set_alert',
  summary: 'Set the current user’s alert on a view; existing records are not included',
  method: 'PUT',
  path: '/views/{id}/alert',
  params: IdParams,
  body: AlertSetting,
  reply: ViewAlert,
});

export const endAlertEndpoint = defineEndpoint({
  ...own,
  name: 'end_alert',
  summary: 'Remove the current user’s alert on a view',
  method: 'DELETE',
  path: '/views/{id}/alert',
  params: IdParams,
  reply: Message,
});

/** A record as an email shows it. */
export const AlertItem = z.object({
  id: z.number().int(),
  /** The record's name for people. */
  name: z.string(),
  /** More of its columns: 'Severity: Critical · Release date: Mar 12, 2024'. */
  about: z.string(),
});
export type AlertItem = z.infer<typeof AlertItem>;

export const AlertPreviewDay = z.object({
  /** When the email would have been sent; for `at_once` the end of the day. */
  at: z.number(),
  /** Records it would have reported. */
  total: z.number().int(),
  /** Updates among the records, each counted once. */
  updates: z.number().int(),
  /** The first record of each of the first updates. */
  records: z.array(AlertItem),
});
export type AlertPreviewDay = z.infer<typeof AlertPreviewDay>;

export const previewedDays = 30;

export const previewAlertEndpoint = defineEndpoint({
  ...own,
  name: 'preview_alert',
  summary: `What an alert on a search would have reported on each of the last ${previewedDays} days, based on the current records`,
  method: 'POST',
  path: '/alerts/preview',
  body: z.strictObject({
    list: z.string().max(100),
    search: RequestedViewSearch.pick({ criteria: true, keyword: true }),
    ...AlertSetting.pick({ mode: true, hour: true, timeZone: true }).shape,
  }),
  reply: z.object({
    /** Newest first. */
    days: z.array(AlertPreviewDay),
    /** Records of all days. */
    total: z.number().int(),
    updates: z.number().int(),
  }),
});
