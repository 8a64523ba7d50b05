/** Stores who deals with a record on all machines, or with what one machine misses. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { StoredOwner } from '@patch/contract/fleet/machine-group-endpoints.ts';
import { Assignee, Assignment } from '@patch/contract/records/note-endpoints.ts';
import { z } from 'zod';
import { type RecordReference, toRecordKey } from '../../machines/machine-records-store.ts';
import { arrayTexts } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';
import { ownerSql } from '../groups/machine-group-store.ts';
import type { OwnerToStore } from '../groups/read-owner.ts';
import { type Finding, isForMachines, isOf, machineNameSql, toColumns } from './finding-store.ts';

/** Columns of an assignment, selected from `assignments`. */
const assigneeColumns = sql.raw(
  `assignment.owner_id as "userId", coalesce(users.name, assignment.owner_address) as name, assignment.owner_address as address,
   assignment.assigned_by as by, assignment.assigned_time as time, assignment.machine_id as "machineId"`,
);
const assignments = sql.raw(
  'record_assignment as assignment left join users on users.id = assignment.owner_id',
);

const AssigneeRow = Assignee.extend({ machineId: z.number().nullable() });

/** Returns the assignees of the record on all machines, and on the machine. */
export async function readAssignees(database: Queryable, finding: Finding) {
  const { machineId } = finding;
  const rows = await query.rows(database, AssigneeRow)`
    select ${assigneeColumns} from ${assignments}
    where ${isOf(finding)} and ${isForMachines(machineId === null ? [] : [machineId])}`;
  const find = (wanted: number | null): Assignee | null => {
    const row = rows.find((one) => one.machineId === wanted);
    return row === undefined ? null : Assignee.parse(row);
  };
  return { assignee: find(null), machineAssignee: machineId === null ? null : find(machineId) };
}

/** Requires a locked finding. An owner of null ends the assignment. */
export async function writeAssignee(
  tx: Queryable,
  finding: Finding,
  owner: OwnerToStore,
  by: string,
  now: number,
): Promise<void> {
  const { ownerId, ownerAddress } = owner;
  if (ownerId === null && ownerAddress === null) {
    await query.run(tx)`
      delete from record_assignment where ${isOf(finding)} and machine_id is not distinct from ${finding.machineId}::bigint`;
    return;
  }
  const changing = { ownerId, ownerAddress, assignedBy: by, assignedTime: now };
  await query.run(tx)`
    insert into record_assignment ${sql.values({ ...toColumns(finding), ...changing })}
    on conflict (list, record_id, coalesce(machine_id, 0)) do update set ${sql.assignments(changing)}`;
}

const OwnerRow = z.object({ list: z.string(), recordId: z.number(), owner: StoredOwner });

/** Returns who deals with each record on this machine, or else on all machines, by the record's key. */
export async function readAssigneesOfMachine(
  database: Queryable,
  machineId: number,
  records: readonly RecordReference[],
): Promise<ReadonlyMap<string, z.infer<typeof StoredOwner>>> {
  const [lists, ids] = arrayTexts(records, 'list', 'recordId') as [string, string];
  const rows = await query.rows(database, OwnerRow)`
    select distinct on (list, record_id) list, record_id as "recordId", ${sql.raw(ownerSql('assignment'))} as owner from ${assignments}
    where (list, record_id) in (select * from unnest(${lists}::text[], ${ids}::bigint[])) and ${isForMachines([machineId])}
    order by list, record_id, machine_id nulls last`;
  return new Map(rows.map(({ list, recordId, owner }) => [toRecordKey(list, recordId), owner]));
}

interface AssignmentPage {
  /** The number of a user, an address, or `me`; undefined: everybody. */
  readonly to?: string | undefined;
  /** The user whom `me` stands for. */
  readonly me: { readonly id: number; readonly email: string };
  /** The machines that exist for the user. */
  readonly machines: readonly number[] | 'all';
  readonly offset: number;
  readonly size: number;
}

/** Returns a page of assignments, the newest in front. */
export async function readAssignments(
  database: Queryable,
  { to, me, machines, offset, size }: AssignmentPage,
) {
  const among = sql`${isForMachines(machines)} and ${isTo(to, me)}`;
  const objList = await query.rows(database, Assignment)`
    select ${assigneeColumns}, assignment.id, assignment.list, assignment.record_id as "recordId", stored.identifier, stored.title,
      ${machineNameSql} as machine
    from ${assignments} left join stored_record as stored on stored.id = assignment.record_id
    left join machine on machine.client_id = assignment.client_id and machine.id = assignment.machine_id
    where ${among} order by assignment.assigned_time desc, assignment.id desc offset ${offset} limit ${size}`;
  const totalCount = await query.requiredValue(database, z.number())`
    select count(*) from ${assignments} where ${among}`;
  return { objList: [...objList], totalCount };
}

/** An address stands for the user who has it too, and a user for the own address. */
function isTo(to: string | undefined, { id, email }: AssignmentPage['me']) {
  if (to === undefined) return sql`true`;
  if (/^\d{1,15}$/.test(to)) return sql`assignment.owner_id = ${Number(to)}`;
  if (to !== 'me')
    return sql`(lower(assignment.owner_address) = ${to.toLowerCase()} or users.email_folded = ${fold(to)})`;
  return email === ''
    ? sql`assignment.owner_id = ${id}`
    : sql`(assignment.owner_id = ${id} or lower(assignment.owner_address) = ${email.toLowerCase()})`;
}
