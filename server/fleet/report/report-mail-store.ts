/** Stores the schedules of reports that are sent by email, and which of their moments are done. */
import {
  ReportMail,
  type ReportMailSetting,
} from '@patch/contract/reports/report-mail-endpoints.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';

const StoredReportMail = ReportMail.pick({
  id: true,
  days: true,
  day: true,
  hour: true,
  timeZone: true,
  addresses: true,
  sentAt: true,
}).extend({
  group: z.object({ id: z.number(), name: z.string(), criteria: z.string().nullable() }).nullable(),
  doneTime: z.number(),
  version: z.number(),
  /** Why the report of the last moment could not be read; empty when it could. */
  problem: z.string(),
  /** Why an email of the last moment was given up; empty when none was. */
  undelivered: z.string(),
});
export type StoredReportMail = z.infer<typeof StoredReportMail>;

const selectReportMails = sql`
  select report_mail.id, days, day, hour, time_zone as "timeZone", addresses, sent_time as "sentAt", done_time as "doneTime", version, problem,
    case when machine_group.id is not null then
      json_build_object('id', machine_group.id, 'name', machine_group.name, 'criteria', machine_group.criteria) end as group,
    coalesce((select 'The email to ' || recipient || ' could not be sent: ' || last_error from outbox
      where outbox.id = any(mails) and state = 'failed' order by outbox.id limit 1), '') as undelivered
  from report_mail left join machine_group on machine_group.id = group_id`;

/** Returns all schedules: those of all machines, then those of groups by name. */
export const readReportMails = (database: Queryable) =>
  query.rows(database, StoredReportMail)`
    ${selectReportMails} order by machine_group.name_folded nulls first, report_mail.id`;

export const readReportMail = (database: Queryable, id: number) =>
  query.row(database, StoredReportMail)`${selectReportMails} where report_mail.id = ${id}`;

export type ReportMailToStore = Omit<ReportMailSetting, 'group'> & {
  readonly groupId: number | null;
};

const toRow = ({ addresses, ...setting }: ReportMailToStore) => ({
  ...setting,
  addresses: JSON.stringify(addresses),
});

/** Makes creations of schedules wait for each other until the transaction ends. Returns how many exist. */
export async function lockReportMails(tx: Queryable): Promise<number> {
  await query.run(tx)`lock table report_mail in share row exclusive mode`;
  return query.requiredValue(tx, z.number())`select count(*) from report_mail`;
}

/** Adds a schedule whose first moment is the next one, and returns its id. */
export const addReportMail = (tx: Queryable, setting: ReportMailToStore, now: number) =>
  query.requiredValue(tx, z.number())`
    insert into report_mail ${sql.values({ ...toRow(setting), doneTime: now })} returning id`;

/** Of another day, hour or time zone, the next moment is the first one. */
export const writeReportMail = (
  tx: Queryable,
  id: number,
  setting: ReportMailToStore,
  now: number,
) =>
  query.run(tx)`
    update report_mail set ${sql.assignments(toRow(setting))}, problem = '', mails = '{}', version = version + 1,
      done_time = case when (day, hour, time_zone) = (${setting.day}, ${setting.hour}, ${setting.timeZone})
        then done_time else ${now} end
    where id = ${id}`;

export const removeReportMail = (tx: Queryable, id: number) =>
  query.run(tx)`delete from report_mail where id = ${id}`;

/** Returns false when another process has done the moment, or when the schedule was changed or removed. */
export const recordMoment = (
  tx: Queryable,
  { id, version }: Pick<StoredReportMail, 'id' | 'version'>,
  now: number,
) =>
  query.runOne(tx)`
    update report_mail set done_time = ${now}, sent_time = ${now}, problem = '', version = version + 1
    where id = ${id} and version = ${version}`;

export const recordMails = (tx: Queryable, id: number, mails: readonly number[]) =>
  query.run(tx)`
    update report_mail set mails = ${arrayText(mails)}::bigint[] where id = ${id}`;

export const recordProblem = (database: Queryable, id: number, problem: string) =>
  query.run(database)`
    update report_mail set problem = ${problem} where id = ${id} and problem <> ${problem}`;
