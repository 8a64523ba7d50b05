/**
 * Database access for the alerts of saved views. The transaction that queues an alert's emails compares the alert's version, so
 * that several processes report each record only once.
 */
import {
  alertModes,
  type RiskEvent,
  riskEvents,
  type ViewAlert,
} from '@patch/contract/alert-endpoints.ts';
import { userTypes } from '@patch/contract/sign-in-endpoints.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { IdRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { riskRevision } from '../../platform/database/searched-relation.ts';
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

const selectAlerts = `select alert.id, alert.mode, alert.hour, alert.time_zone as "timeZone", alert.own_address as "ownAddress",
  alert.further_addresses as "furtherAddresses", to_jsonb(alert.channels) as channels, alert.exploited, alert.epss_above as "epssAbove",
  alert.exploited_basis as "exploitedBasis", alert.epss_basis as "epssBasis", alert.seen_risk_revision as "seenRiskRevision",
  coalesce((select revision from list_revision where list = '${riskRevision}'), 0) as "riskRevision", alert.version, alert.seen_id as "seenId", alert.seen_revision as "seenRevision",
  alert.looked_time as "lookedAt", alert.problem, view.search,
  jsonb_build_object('id', view.id, 'name', view.name, 'list', view.list) as view,
  jsonb_build_object('id', owner.id, 'email', owner.email, 'userType', owner.user_type, 'timezone', owner.timezone) as owner,
  coalesce(list_revision.revision, 0) as revision
  from view_alert as alert join saved_view as view on view.id = alert.view_id join users as owner on owner.id = alert.user_id
  left join list_revision on list_revision.list = view.list
  where (view.owner_id = alert.user_id or view.shared)`;

/** Reads the alerts of views that their owners can still see. */
export async function readAllAlerts(database: Queryable): Promise<readonly StoredAlert[]> {
  const rows = await queryRows(database, StoredAlert, `${selectAlerts} order by alert.id`);
  return rows;
}

export async function readUserAlerts(
  database: Queryable,
  userId: number,
): Promise<readonly StoredAlert[]> {
  const rows = await queryRows(
    database,
    StoredAlert,
    `${selectAlerts} and alert.user_id = $1 order by view.list, view.name_folded, alert.id`,
    [userId],
  );
  return rows;
}

/** Creates or changes an alert. Existing records count as reported; a changed alert does not report them again. */
export async function setAlert(
  tx: Queryable,
  {
    userId,
    viewId,
    list,
  }: { readonly userId: number; readonly viewId: number; readonly list: string },
  { mode, hour, timeZone, ownAddress, furtherAddresses, channels, exploited, epssAbove }: NewAlert,
  now: number,
): Promise<void> {
  await tx.query(
    `insert into view_alert as alert (user_id, view_id, mode, hour, time_zone, own_address, further_addresses, seen_id, seen_revision, looked_time, exploited, epss_above, channels)
     values ($1, $2, $3, $4, $5, $6, $7::text::jsonb, $8, coalesce((select revision from list_revision where list = $9), 0), $10, $11, $12, $13::bigint[])
     on conflict (user_id, view_id) do update set mode = excluded.mode, hour = excluded.hour, time_zone = excluded.time_zone,
       own_address = excluded.own_address, further_addresses = excluded.further_addresses, channels = excluded.channels,
       exploited = excluded.exploited, epss_above = excluded.epss_above, problem = '',
       exploited_basis = case when excluded.exploited then alert.exploited_basis end,
       epss_basis = case when excluded.epss_above = alert.epss_above then alert.epss_basis end, version = alert.version + 1`,
    [
      userId,
      viewId,
      mode,
      hour,
      timeZone,
      ownAddress,
      JSON.stringify(furtherAddresses),
      await readLastRecordId(tx, list),
      list,
      now,
      exploited,
      epssAbove,
      arrayText(channels),
    ],
  );
}

export async function deleteAlert(
  database: Queryable,
  userId: number,
  viewId: number,
): Promise<boolean> {
  const { count } = await database.query(
    'delete from view_alert where user_id = $1 and view_id = $2',
    [userId, viewId],
  );
  return count === 1;
}

/** Deletes the alerts of views that are no longer shared, except those of the views' owners. */
export async function deleteUnseenAlerts(database: Queryable): Promise<void> {
  await database.query(
    `delete from view_alert using saved_view as view
     where view.id = view_alert.view_id and view.owner_id <> view_alert.user_id and not view.shared`,
  );
}

/** Returns false when another process has checked meanwhile, or when the alert was changed. */
export async function recordCheck(
  tx: Queryable,
  { id, version }: StoredAlert,
  check: {
    readonly seenId: number;
    readonly seenRevision: number;
    readonly seenRiskRevision: number;
    readonly now: number;
    readonly problem: string;
  },
): Promise<boolean> {
  const { count } = await tx.query(
    `update view_alert set seen_id = $3, seen_revision = $4, looked_time = $5, problem = $6, seen_risk_revision = $7, version = version + 1 where id = $1 and version = $2`,
    [
      id,
      version,
      check.seenId,
      check.seenRevision,
      check.now,
      check.problem,
      check.seenRiskRevision,
    ],
  );
  return count === 1;
}

/** Records that risk states were captured without a report. Returns false as `recordCheck` does. */
export async function recordRiskCapture(
  tx: Queryable,
  { id, version }: StoredAlert,
): Promise<boolean> {
  const { count } = await tx.query(
    'update view_alert set version = version + 1 where id = $1 and version = $2',
    [id, version],
  );
  return count === 1;
}

export async function recordProblem(
  database: Queryable,
  id: number,
  problem: string,
): Promise<void> {
  await database.query('update view_alert set problem = $2 where id = $1 and problem <> $2', [
    id,
    problem,
  ]);
}

export async function addAlertMail(
  tx: Queryable,
  mail: {
    readonly alertId: number;
    readonly recipient: string;
    readonly spans: readonly Span[];
    readonly risk: ReportedRisk;
    readonly mailId: number;
  },
): Promise<void> {
  await tx.query(
    'insert into alert_mail (alert_id, recipient, spans, mail_id, risk) values ($1, $2, $3::text::jsonb, $4, $5::text::jsonb)',
    [
      mail.alertId,
      mail.recipient,
      JSON.stringify(mail.spans),
      mail.mailId,
      JSON.stringify(mail.risk),
    ],
  );
}

/** Records which emails were sent or abandoned since the last check. */
export async function recordMailOutcomes(tx: Queryable): Promise<void> {
  await tx.query(
    `with sent as (delete from alert_mail using outbox as mail where mail.id = alert_mail.mail_id and mail.state = 'sent' returning alert_id)
     update view_alert set problem = '' where problem <> '' and id in (select alert_id from sent)`,
  );
  await tx.query(
    `with failed as (update alert_mail set failed = true, mail_id = null from outbox as mail
       where mail.id = alert_mail.mail_id and mail.state = 'failed' returning alert_id, alert_mail.recipient, mail.last_error)
     update view_alert set problem = 'The email to ' || failed.recipient || ' could not be sent: ' || failed.last_error
     from failed where view_alert.id = failed.alert_id`,
  );
  // Old emails are deleted long after they were sent: their outcome is unknown.
  await tx.query('delete from alert_mail where mail_id is null and not failed');
}

export async function readLostMails(
  database: Queryable,
  alertId: number,
): Promise<readonly LostMail[]> {
  const rows = await queryRows(
    database,
    LostMail,
    'select id, recipient, spans, risk from alert_mail where alert_id = $1 and failed order by id',
    [alertId],
  );
  return rows;
}

/** Deletes an email whose contents were reported again. */
export async function deleteLostMail(tx: Queryable, id: number): Promise<void> {
  await tx.query('delete from alert_mail where id = $1', [id]);
}

const LastRow = z.object({ last: z.number().nullable() });

/**
 * Returns the id of the list's newest record, withdrawn or not; 0 for an empty list. `list` is the key, which is also the table's
 * name.
 */
export async function readLastRecordId(database: Queryable, list: string): Promise<number> {
  const rows = await queryRows(database, LastRow, `select max(id) as last from ${list}`);
  return rows[0]?.last ?? 0;
}

/** Returns those of the channels that exist. */
export async function findChannels(
  database: Queryable,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const text = 'select id from channel where id = any($1::bigint[])';
  return new Set((await queryRows(database, IdRow, text, [arrayText(ids)])).map(({ id }) => id));
}

const RecordRow = z.object({ id: z.number(), createdTime: z.number() });

/** Returns the first record whose id is at least `id`, and when the repository first received it. */
export async function readRecordFrom(
  database: Queryable,
  list: string,
  id: number,
): Promise<{ readonly id: number; readonly createdTime: number } | null> {
  const rows = await queryRows(
    database,
    RecordRow,
    `select id, created_time as "createdTime" from ${list} where id >= $1 order by id limit 1`,
    [id],
  );
  return rows[0] ?? null;
}

const SourceRow = z.object({ source: z.string() });

/** Returns the sources that are being synced now. */
export async function readRunningSources(database: Queryable): Promise<ReadonlySet<string>> {
  const rows = await queryRows(
    database,
    SourceRow,
    `select source from sync_run where state = 'running'`,
  );
  return new Set(rows.map(({ source }) => source));
}
