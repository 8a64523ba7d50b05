/** Stores groups of machines: their names, criteria, owners and due dates. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { MachineGroup } from '@patch/contract/fleet/machine-group-endpoints.ts';
import { ReportMail } from '@patch/contract/reports/report-mail-endpoints.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';

const StoredGroup = MachineGroup.pick({
  id: true,
  name: true,
  criteria: true,
  owner: true,
  duePolicy: true,
});
export type StoredGroup = z.infer<typeof StoredGroup>;

/** Returns SQL of the owner of a row of the table, which is joined with `users`. */
export const ownerSql = (table: string): string =>
  `case when ${table}.owner_id is not null or ${table}.owner_address is not null then json_build_object(
    'userId', ${table}.owner_id, 'name', coalesce(users.name, ${table}.owner_address), 'address', ${table}.owner_address) end`;

const selectGroups = sql`
  select machine_group.id, machine_group.name, criteria, due_policy as "duePolicy", ${sql.raw(ownerSql('machine_group'))} as owner
  from machine_group left join users on users.id = owner_id`;

/** Returns all groups, by name. */
export const readGroups = (database: Queryable) =>
  query.rows(database, StoredGroup)`${selectGroups} order by machine_group.name_folded`;

export const readGroup = (database: Queryable, id: number) =>
  query.row(database, StoredGroup)`${selectGroups} where machine_group.id = ${id}`;

export interface GroupToStore {
  readonly name: string;
  readonly criteria: string | null;
  readonly ownerId: number | null;
  readonly ownerAddress: string | null;
  readonly duePolicy: StoredGroup['duePolicy'];
}

const toRow = ({ name, duePolicy, ...group }: GroupToStore) => ({
  name,
  nameFolded: fold(name),
  ...group,
  duePolicy: duePolicy === null ? null : JSON.stringify(duePolicy),
});

/** Makes creations of groups wait for each other until the transaction ends. Returns how many exist. */
export async function lockGroups(tx: Queryable): Promise<number> {
  await query.run(tx)`lock table machine_group in share row exclusive mode`;
  return query.requiredValue(tx, z.number())`select count(*) from machine_group`;
}

/** Returns null when a group has the name. */
export const addGroup = (tx: Queryable, group: GroupToStore) =>
  query.value(tx, z.number())`
    insert into machine_group ${sql.values(toRow(group))} on conflict (name_folded) do nothing returning id`;

/** Returns false when another group has the name. The groups must be locked. */
export async function writeGroup(tx: Queryable, id: number, group: GroupToStore): Promise<boolean> {
  const taken = await query.value(tx, z.number())`
    select id from machine_group where name_folded = ${fold(group.name)} and id <> ${id}`;
  if (taken !== null) return false;
  await query.run(tx)`update machine_group set ${sql.assignments(toRow(group))} where id = ${id}`;
  return true;
}

/** Returns whether machines report with keys of the group, or could. */
export const isReporting = (tx: Queryable, id: number) =>
  query.requiredValue(tx, z.boolean())`
    select exists(select from api_key where group_id = ${id}) or exists(select from machine where client_id = ${id})`;

/** The report of a group that is sent by email. */
const EndedReportMail = ReportMail.pick({ days: true, addresses: true });

/**
 * Removes its days too, and returns its reports by email, which end. The days of a group that machines report to are part of those
 * of all machines.
 */
export async function removeGroup(
  tx: Queryable,
  id: number,
): Promise<readonly z.infer<typeof EndedReportMail>[]> {
  const reportMails = await query.rows(tx, EndedReportMail)`
    delete from report_mail where group_id = ${id} returning days, addresses`;
  await query.run(tx)`delete from machine_group where id = ${id}`;
  await query.run(tx)`delete from fleet_day where client_id = ${id} and criteria is not null`;
  return reportMails;
}

/** Returns the ids of the machines that report with keys of the group. */
export const readReportingMachines = (database: Queryable, groupId: number) =>
  query.values(
    database,
    z.number(),
  )`select id from machine where client_id = ${groupId} order by id`;
