/** Stores exceptions: missing records that may be missing on a machine, on the machines of a client or a group, or on all. */
import {
  AcceptedMissing,
  exceptionWarningDays,
} from '@patch/contract/fleet/exception-endpoints.ts';
import { type ExceptionKind } from '@patch/contract/fleet/exception-kinds.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { ownerSql } from '../groups/machine-group-store.ts';
import type { OwnerToStore } from '../groups/read-owner.ts';
import { markRecords } from '../judgement/standing-refresh-store.ts';
import { clientOfMachine } from '../machines/machine-number.ts';
import { keysOfMachines, standingsOfIds } from '../machines/machines-of-ids-store.ts';

const dayMs = 24 * 3_600_000;
export const warningMs = exceptionWarningDays * dayMs;

/** Columns of `AcceptedMissing`, of `missing_exception as exception left join users on users.id = owner_id`. */
export const exceptionColumns = `exception.id as "exceptionId", exception.kind, exception.until, exception.reason, exception.created_by as by,
  ${ownerSql('exception')} as owner,
  case when exception.machine_id is not null then 'machine' when exception.client_id is not null then 'client'
    when exception.group_id is not null then 'group' else 'all' end as scope`;

interface ExceptionContent extends OwnerToStore {
  readonly kind: ExceptionKind;
  /** Null: without end. */
  readonly until: number | null;
  readonly reason: string;
  readonly by: string;
}

/** The machines of an exception. */
export type ExceptionTarget =
  | { readonly machineId: number }
  | { readonly clientId: number }
  | { readonly groupId: number; readonly machines: readonly number[] }
  | 'all';

export interface NewException extends ExceptionContent {
  readonly target: ExceptionTarget;
  readonly list: string;
  readonly recordId: number;
}

const toColumns = ({ kind, until, reason, by, ownerId, ownerAddress }: ExceptionContent) => ({
  kind,
  until,
  reason,
  createdBy: by,
  ownerId,
  ownerAddress,
});

/** An end that is near when it is decided needs no warning. */
const stateOf = (until: number | null, now: number) => ({
  ended: false,
  warned: until !== null && until <= now + warningMs,
  createdTime: now,
});

interface Replaceable {
  readonly onlyOf?: number | null;
  readonly onlyOn?: readonly number[] | null;
}

const ReportingMachine = z.object({ identity: z.number(), machineName: z.string().nullable() });

/**
 * Returns the id of the exception. Replaces one for the same record and the same target.
 * @param onlyOf - Replaces a valid exception of this user only; null: of everybody.
 * @param onlyOn - Replaces an exception of a group if it holds on these machines alone; null: on any.
 * @throws AppError `not_allowed` when it would replace another one.
 */
export async function addException(
  tx: Queryable,
  { target, list, recordId, ...content }: NewException,
  now: number,
  { onlyOf = null, onlyOn = null }: Replaceable = {},
): Promise<number> {
  const machineId = target !== 'all' && 'machineId' in target ? target.machineId : null;
  const group = target !== 'all' && 'groupId' in target ? target : null;
  const clientId =
    machineId !== null
      ? clientOfMachine(machineId)
      : target !== 'all' && 'clientId' in target
        ? target.clientId
        : null;
  const machine = await query.row(tx, ReportingMachine)`
    select identity, coalesce(name, machine_key) as "machineName" from machine_standing join machine using (client_id, id)
    where client_id = ${clientId} and id = ${machineId}`;
  const changing = { ...toColumns(content), ...stateOf(content.until, now) };
  const { identity, machineName } = machine ?? { identity: 0, machineName: null };
  const row = { clientId, machineId, identity, machineName, groupId: group?.groupId ?? null };
  const id = await query.value(tx, z.number())`
    insert into missing_exception ${sql.values({ ...row, list, recordId, ...changing })}
    on conflict (coalesce(client_id, 0), coalesce(machine_id, 0), identity, coalesce(group_id, 0), list, record_id)
    do update set ${sql.assignments(changing)}
      where (${onlyOf}::bigint is null or missing_exception.owner_id = ${onlyOf} or missing_exception.until <= ${now})
        and (${onlyOn === null} or not exists(select from missing_exception_machine as member
          where exception_id = missing_exception.id and member.machine_id <> all(${arrayText(onlyOn ?? [])}::bigint[])))
    returning id`;
  if (id === null) throw onlyOn === null ? notOwn() : notReplaceable();
  if (group !== null) await writeMachines(tx, id, group.machines);
  await countAgain(tx, list, recordId);
  return id;
}

const notReplaceable = () =>
  new AppError(
    'not_allowed',
    'An exception for the same is of somebody else, or holds on machines that you do not see.',
  );

export const notOwn = () =>
  new AppError(
    'not_allowed',
    'Only an approver or an administrator may decide about exceptions of others. An operator decides about own ones.',
  );

/** Stores the machines of an exception for a group, each with the identity that reports its key now. */
async function writeMachines(
  tx: Queryable,
  id: number,
  machines: readonly number[],
): Promise<void> {
  await query.run(tx)`delete from missing_exception_machine where exception_id = ${id}`;
  await tx.query(
    `insert into missing_exception_machine (exception_id, client_id, machine_id, identity)
     select $3, client_id, id, identity from ${standingsOfIds}`,
    [...keysOfMachines(machines), id],
  );
}

const StoredException = AcceptedMissing.extend({
  list: z.string(),
  recordId: z.number(),
  clientId: z.number().nullable(),
  machineId: z.number().nullable(),
  groupId: z.number().nullable(),
});
export type StoredException = z.infer<typeof StoredException>;

/** Returns null when the exception does not exist; else it is locked until the transaction ends. */
export const lockException = (tx: Queryable, id: number) =>
  query.row(tx, StoredException)`
    select ${sql.raw(exceptionColumns)}, list, record_id as "recordId", client_id as "clientId", machine_id as "machineId", group_id as "groupId"
    from missing_exception as exception left join users on users.id = owner_id where exception.id = ${id} for update of exception`;

/** Requires a locked exception. */
export async function writeException(
  tx: Queryable,
  { exceptionId, list, recordId }: Pick<StoredException, 'exceptionId' | 'list' | 'recordId'>,
  content: ExceptionContent,
  now: number,
): Promise<void> {
  await query.run(tx)`
    update missing_exception set ${sql.assignments({ ...toColumns(content), ...stateOf(content.until, now) })}
    where id = ${exceptionId}`;
  await countAgain(tx, list, recordId);
}

/** Ends a locked exception before its date. It stays listed among the ended ones; nobody is told, since somebody decided it. */
export async function endException(
  tx: Queryable,
  { exceptionId, list, recordId }: Pick<StoredException, 'exceptionId' | 'list' | 'recordId'>,
  now: number,
): Promise<void> {
  await query.run(tx)`
    update missing_exception set until = ${now}, ended = true where id = ${exceptionId}`;
  await countAgain(tx, list, recordId);
}

async function countAgain(tx: Queryable, list: string, recordId: number): Promise<void> {
  const records = await query.values(
    tx,
    z.number(),
  )`select id from missing_record where list = ${list} and record_id = ${recordId}`;
  await markRecords(tx, records);
}

const NoticedRow = z.object({ id: z.number(), missingId: z.number().nullable() });

/** Marks exceptions that have ended, and their records to be counted again. Returns their ids. */
export async function takeEnded(tx: Queryable, now: number): Promise<readonly number[]> {
  const ended = await queryRows(
    tx,
    NoticedRow,
    `with ended as (
       update missing_exception set ended = true where not ended and until <= $1 returning id, list, record_id
     ) select ended.id, missing_record.id as "missingId" from ended left join missing_record using (list, record_id) order by ended.id`,
    [now],
  );
  await markRecords(
    tx,
    ended.flatMap(({ missingId }) => (missingId === null ? [] : [missingId])),
  );
  return ended.map(({ id }) => id);
}

/** Marks exceptions whose end is near and was not announced. Returns their ids. */
export const takeEnding = (tx: Queryable, now: number) =>
  query.values(tx, z.number())`
    update missing_exception set warned = true where not ended and not warned and until <= ${now + warningMs} returning id`;
