/**
 * Database access for the alerts of saved views. The transaction that queues an alert's emails compares the alert's version, so
 * that several processes report each record only once.
 */

import { userTypes } from '@patch/contract/base/user-types.ts';
import {
  alertModes,
  type RiskEvent,
  riskEvents,
  type ViewAlert,
} from '@patch/contract/reports/alert-endpoints.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { riskRevision } from '../../platform/database/searched-relation.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';
import { StoredSearch } from '../../records/preferences/saved-view-store.ts';

export type NewAlert = Omit<ViewAlert, 'view' | 'lookedAt' | 'problem'>;

/** An alert with all data that a check needs. */
const StoredAlert = z.object({
  mode: z.enum(alertModes),
  hour: z.number(),
  timeZone: z.string(),
  ownAddress: z.boolean(),
  furtherAddresses: z.array(z.string()),
  channels: z.array(z.number()),
  /** Those of them that are switched on. */
  openChannels: z.array(z.number()),
  exploited: z.boolean(),
  epssAbove: z.number().nullable(),
  exploitedBasis: z.string().nullable(),
  epssBasis: z.string().nullable(),
  seenRiskRevision: z.number(),
  /** The current revision of the risk that is joined to records. */
  riskRevision: z.number(),
  id: z.number(),
  version: z.number(),
  seenId: z.number(),
  seenRevision: z.number(),
  lookedAt: z.number(),
  problem: z.string(),
  view: z.object({ id: z.number(), name: z.string(), list: z.string() }),
  search: StoredSearch,
  owner: z.object({
    id: z.number(),
    email: z.string(),
    userType: z.enum(userTypes),
    /** As of a `SignedInUser`. */
    machineGroups: z.array(z.number()).nullable(),
    timezone: z.string().nullable(),
  }),
  /** The current revision of the view's list. */
  revision: z.number(),
});
export type StoredAlert = z.infer<typeof StoredAlert>;

/** A range of record ids: above the first, up to the second. */
const Span = z.tuple([z.number(), z.number()]);
export type Span = readonly [above: number, upTo: number];

/** The ids of the records whose risk was reported, by event. */
const ReportedRisk = z.partialRecord(z.enum(riskEvents), z.array(z.number()));
export type ReportedRisk = Readonly<Partial<Record<RiskEvent, readonly number[]>>>;

/** The contents of an abandoned email. */
const LostMail = z.object({
  id: z.number(),
  recipient: z.string(),
  spans: z.array(Span),
  risk: ReportedRisk,
});
export type LostMail = z.infer<typeof LostMail>;

const selectAlerts = sql`select alert.id, alert.mode, alert.hour, alert.time_zone as "timeZone", alert.own_address as "ownAddress",
  alert.further_addresses as "furtherAddresses", to_jsonb(alert.channels) as channels,
  to_jsonb(array(select id from channel where id = any(alert.channels) and enabled order by id)) as "openChannels", alert.exploited, alert.epss_above as "epssAbove",
  alert.exploited_basis as "exploitedBasis", alert.epss_basis as "epssBasis", alert.seen_risk_revision as "seenRiskRevision",
  coalesce((select revision from list_revision where list = ${riskRevision}), 0) as "riskRevision", alert.version, alert.seen_id as "seenId", alert.seen_revision as "seenRevision",
  alert.looked_time as "lookedAt", alert.problem, view.search,
  jsonb_build_object('id', view.id, 'name', view.name, 'list', view.list) as view,
  jsonb_build_object('id', owner.id, 'email', owner.email, 'userType', owner.user_type, 'machineGroups', owner.machine_groups,
    'timezone', owner.timezone) as owner,
  coalesce(list_revision.revision, 0) as revision
  from view_alert as alert join saved_view as view on view.id = alert.view_id join users as owner on owner.id = alert.user_id
  left join list_revision on list_revision.list = view.list
  where (view.owner_id = alert.user_id or view.shared)`;

/** Reads the alerts of views that their owners can still see. */
export const readAllAlerts = (database: Queryable) =>
  query.rows(database, StoredAlert)`${selectAlerts} order by alert.id`;

export const readUserAlerts = (database: Queryable, userId: number) =>
  query.rows(database, StoredAlert)`
    ${selectAlerts} and alert.user_id = ${userId} order by view.list, view.name_folded, alert.id`;

/** Creates or changes an alert. Existing records count as reported; a changed alert does not report them again. */
export async function setAlert(
  tx: Queryable,
  view: { readonly userId: number; readonly viewId: number; readonly list: string },
  { mode, hour, timeZone, ownAddress, furtherAddresses, channels, exploited, epssAbove }: NewAlert,
  now: number,
): Promise<void> {
  const { userId, viewId, list } = view;
  const plain = { userId, viewId, mode, hour, timeZone, ownAddress, exploited, epssAbove };
  const alert = {
    ...plain,
    furtherAddresses: JSON.stringify(furtherAddresses),
    channels: arrayText(channels),
    seenId: await readLastRecordId(tx, list),
    seenRevision: sql`coalesce((select revision from list_revision where list = ${list}), 0)`,
    lookedTime: now,
  };
  await query.run(tx)`
    insert into view_alert as alert ${sql.values(alert)}
    on conflict (user_id, view_id) do update set mode = excluded.mode, hour = excluded.hour, time_zone = excluded.time_zone,
      own_address = excluded.own_address, further_addresses = excluded.further_addresses, channels = excluded.channels,
      exploited = excluded.exploited, epss_above = excluded.epss_above, problem = '',
      exploited_basis = case when excluded.exploited then alert.exploited_basis end,
      epss_basis = case when excluded.epss_above = alert.epss_above then alert.epss_basis end, version = alert.version + 1`;
}

export const deleteAlert = (database: Queryable, userId: number, viewId: number) =>
  query.runOne(database)`delete from view_alert where user_id = ${userId} and view_id = ${viewId}`;

/** Deletes the alerts of views that are no longer shared, except those of the views' owners. */
export const deleteUnseenAlerts = (database: Queryable) =>
  query.run(database)`
    delete from view_alert using saved_view as view
    where view.id = view_alert.view_id and view.owner_id <> view_alert.user_id and not view.shared`;

/** Returns false when another process has checked meanwhile, or when the alert was changed. */
export const recordCheck = (
  tx: Queryable,
  { id, version }: StoredAlert,
  check: {
    readonly seenId: number;
    readonly seenRevision: number;
    readonly seenRiskRevision: number;
    readonly now: number;
    readonly problem: string;
  },
) => query.runOne(tx)`
  update view_alert set seen_id = ${check.seenId}, seen_revision = ${check.seenRevision}, looked_time = ${check.now},
    problem = ${check.problem}, seen_risk_revision = ${check.seenRiskRevision}, version = version + 1
  where id = ${id} and version = ${version}`;

/** Records that risk states were captured without a report. Returns false as `recordCheck` does. */
/** @param seen - The revision of risk of which nothing is to be reported. */
export const recordRiskCapture = (tx: Queryable, { id, version }: StoredAlert, seen: number) =>
  query.runOne(tx)`
    update view_alert set version = version + 1, seen_risk_revision = ${seen} where id = ${id} and version = ${version}`;

export const recordProblem = (database: Queryable, id: number, problem: string) =>
  query.run(database)`
    update view_alert set problem = ${problem} where id = ${id} and problem <> ${problem}`;

export function addAlertMail(
  tx: Queryable,
  mail: {
    readonly alertId: number;
    readonly recipient: string;
    readonly spans: readonly Span[];
    readonly risk: ReportedRisk;
    readonly mailId: number;
  },
): Promise<number> {
  const row = { ...mail, spans: JSON.stringify(mail.spans), risk: JSON.stringify(mail.risk) };
  return query.run(tx)`insert into alert_mail ${sql.values(row)}`;
}

/** Records which emails were sent or abandoned since the last check. */
export async function recordMailOutcomes(tx: Queryable): Promise<void> {
  await query.run(tx)`
    with sent as (delete from alert_mail using outbox as mail where mail.id = alert_mail.mail_id and mail.state = 'sent' returning alert_id)
     update view_alert set problem = '' where problem <> '' and id in (select alert_id from sent)`;
  await query.run(tx)`
    with failed as (update alert_mail set failed = true, mail_id = null from outbox as mail
       where mail.id = alert_mail.mail_id and mail.state = 'failed' returning alert_id, alert_mail.recipient, mail.last_error)
     update view_alert set problem = 'The email to ' || failed.recipient || ' could not be sent: ' || failed.last_error
     from failed where view_alert.id = failed.alert_id`;
  // Old emails are deleted long after they were sent: their outcome is unknown.
  await query.run(tx)`delete from alert_mail where mail_id is null and not failed`;
}

export const readLostMails = (database: Queryable, alertId: number) =>
  query.rows(database, LostMail)`
    select id, recipient, spans, risk from alert_mail where alert_id = ${alertId} and failed order by id`;

/** Deletes an email whose contents were reported again. */
export const deleteLostMail = (tx: Queryable, id: number) =>
  query.run(tx)`delete from alert_mail where id = ${id}`;

/**
 * Returns the id of the list's newest record, withdrawn or not; 0 for an empty list. `list` is the key, which is also the table's
 * name.
 */
export const readLastRecordId = async (database: Queryable, list: string): Promise<number> =>
  (await query.value(database, z.number().nullable())`select max(id) from ${sql.raw(list)}`) ?? 0;

/** Returns those of the channels that exist. */
export const findChannels = async (database: Queryable, ids: readonly number[]) =>
  new Set(
    await query.values(database, z.number())`
      select id from channel where id = any(${arrayText(ids)}::bigint[])`,
  );

const RecordRow = z.object({ id: z.number(), createdTime: z.number() });

/** Returns the first record whose id is at least `id`, and when the repository first received it. */
export const readRecordFrom = (database: Queryable, list: string, id: number) =>
  query.row(database, RecordRow)`
    select id, created_time as "createdTime" from ${sql.raw(list)} where id >= ${id} order by id limit 1`;

/** Returns the sources that are being synced now. */
export const readRunningSources = async (database: Queryable): Promise<ReadonlySet<string>> =>
  new Set(
    await query.values(database, z.string())`select source from sync_run where state = 'running'`,
  );
