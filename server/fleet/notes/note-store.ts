/** Stores notes on records, for all machines or for one. */
import { maxNotes, RecordNote } from '@patch/contract/records/note-endpoints.ts';
import { z } from 'zod';
import { type RecordReference, toRecordKey } from '../../machines/machine-records-store.ts';
import { arrayTexts } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import {
  type Finding,
  isForMachines,
  isOf,
  machineNameSql,
  recordNameSql,
  toColumns,
} from './finding-store.ts';

const noteColumns = sql.raw(
  `note.id, note.machine_id as "machineId", note.text, coalesce(users.name, note.author_name) as by,
   note.author_id as "byUserId", note.created_time as time`,
);

/** Returns the notes on the record for all machines, and on the machine; the newest in front. */
export const readNotes = (database: Queryable, finding: Finding) =>
  query.rows(database, RecordNote)`
    select ${noteColumns} from record_note as note left join users on users.id = note.author_id
    where ${isOf(finding)} and ${isForMachines(finding.machineId === null ? [] : [finding.machineId])}
    order by note.created_time desc, note.id desc`;

/** Requires a locked finding. @throws AppError `too_many_notes` */
export async function addNote(
  tx: Queryable,
  finding: Finding,
  text: string,
  author: { readonly id: number; readonly name: string },
  now: number,
): Promise<RecordNote> {
  const count = await query.requiredValue(tx, z.number())`
    select count(*) from record_note where ${isOf(finding)} and machine_id is not distinct from ${finding.machineId}::bigint`;
  if (count >= maxNotes)
    throw new AppError(
      'too_many_notes',
      `A record has at most ${maxNotes} notes for all machines, and as many for each. Remove one first.`,
    );
  const written = { authorId: author.id, authorName: author.name, createdTime: now };
  const id = await query.requiredValue(tx, z.number())`
    insert into record_note ${sql.values({ ...toColumns(finding), text, ...written })} returning id`;
  const { machineId } = finding;
  return { id, machineId, text, by: author.name, byUserId: author.id, time: now };
}

const NamedNote = RecordNote.extend({
  list: z.string(),
  recordId: z.number(),
  record: z.string(),
  machine: z.string().nullable(),
});

/** Returns null when the note does not exist; else it is locked until the transaction ends. */
export const lockNote = (tx: Queryable, id: number) =>
  query.row(tx, NamedNote)`
    select ${noteColumns}, note.list, note.record_id as "recordId", ${recordNameSql} as record, ${machineNameSql} as machine
    from record_note as note join stored_record as stored on stored.id = note.record_id left join users on users.id = note.author_id
    left join machine on machine.client_id = note.client_id and machine.id = note.machine_id
    where note.id = ${id} for update of note`;

export const removeNote = (tx: Queryable, id: number) =>
  query.run(tx)`delete from record_note where id = ${id}`;

const CountRow = z.object({ list: z.string(), recordId: z.number(), notes: z.number() });

/** Returns how many notes there are on each record, for this machine and for all, by the record's key. */
export async function countNotes(
  database: Queryable,
  machineId: number,
  records: readonly RecordReference[],
): Promise<ReadonlyMap<string, number>> {
  const [lists, ids] = arrayTexts(records, 'list', 'recordId') as [string, string];
  const rows = await query.rows(database, CountRow)`
    select list, record_id as "recordId", count(*) as notes from record_note
    where (list, record_id) in (select * from unnest(${lists}::text[], ${ids}::bigint[])) and ${isForMachines([machineId])}
    group by list, record_id`;
  return new Map(rows.map(({ list, recordId, notes }) => [toRecordKey(list, recordId), notes]));
}
