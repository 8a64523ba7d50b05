/** A record that machines miss, or what one machine misses: what notes and assignees belong to. */
import { z } from 'zod';
import type { RecordReference } from '../../machines/machine-records-store.ts';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { clientOfMachine } from '../machines/machine-number.ts';

export interface Finding extends RecordReference {
  /** Null: the record on all machines. */
  readonly machineId: number | null;
}

/** A finding with its names, as the audit log has it. */
export interface NamedFinding extends Finding {
  readonly record: string;
  readonly machine: string | null;
}

/** Columns of a `Finding`. */
export const toColumns = ({ list, recordId, machineId }: Finding) => ({
  list,
  recordId,
  clientId: machineId === null ? null : clientOfMachine(machineId),
  machineId,
});

/**
 * SQL condition on rows of `record_note` and `record_assignment`: those for all machines, and those of these machines. Every statement
 * that reads rows of machines has it, so that the machines that a user sees can be limited in one place.
 */
export const isForMachines = (machines: readonly number[] | 'all') =>
  machines === 'all'
    ? sql`true`
    : sql`(machine_id is null or machine_id = any(${arrayText(machines)}::bigint[]))`;

export const isOf = ({ list, recordId }: RecordReference) =>
  sql`list = ${list} and record_id = ${recordId}`;

/** SQL of the name of `stored_record as stored`, which may be withdrawn. */
export const recordNameSql = sql.raw(`coalesce(stored.identifier, 'record ' || stored.id)`);
/** SQL of the name of a row of the table `machine`. */
export const machineNameSql = sql.raw('coalesce(machine.name, machine.machine_key)');

export const describeFinding = ({ record, machine }: NamedFinding): string =>
  machine === null ? record : `${record} on ${machine}`;

/**
 * Returns the finding with its names.
 * @param lock Whether neither the machine can be removed nor another note be added until the transaction ends.
 * @throws AppError `not_found`
 */
export async function nameFinding(
  database: Queryable,
  finding: Finding,
  lock = false,
): Promise<NamedFinding> {
  const { list, recordId, machineId } = finding;
  const record = await query.value(database, z.string())`
    select ${recordNameSql} from stored_record as stored where list = ${list} and id = ${recordId}
    ${sql.raw(lock ? 'for no key update' : '')}`;
  if (record === null)
    throw new AppError('not_found', `The record ${recordId} of the list '${list}' does not exist.`);
  if (machineId === null) return { ...finding, record, machine: null };
  const machine = await query.value(database, z.string())`
    select coalesce(${machineNameSql}, '') from machine where client_id = ${clientOfMachine(machineId)} and id = ${machineId}
    ${sql.raw(lock ? 'for key share' : '')}`;
  if (machine === null) throw new AppError('not_found', `Machine ${machineId} does not exist.`);
  return { ...finding, record, machine };
}
