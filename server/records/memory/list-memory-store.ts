/** Reads a list into memory and keeps it up: in batches, each of which takes the database only shortly. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { columnsOfField } from '../../platform/database/list-columns.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import {
  hasRisk,
  riskRevision,
  searchedRelation,
} from '../../platform/database/searched-relation.ts';
import {
  fieldsInMemory,
  type ListMemory,
  type ReadRows,
  type ReadTexts,
  riskFlag,
  type StoredValue,
} from './list-memory.ts';

/** Rows of one statement. */
const rowsABatch = 2_000;

/** What is true of a list at one moment. */
export interface ListStamp {
  readonly revision: number;
  /** Rows that are not withdrawn. */
  readonly listed: number;
  /** Of what the risk sources say; 0 where the list shows no risk. */
  readonly risk: number;
}

const StampRow = z.object({ list: z.string(), revision: z.number(), listed: z.number() });

/** Reads the stamps of all lists at one moment. */
export async function readStamps(
  database: Queryable,
): Promise<(list: ListDefinition) => ListStamp> {
  const rows = await queryRows(
    database,
    StampRow,
    'select list, revision, listed from list_revision',
    [],
    { keepsPlan: true },
  );
  const byList = new Map(rows.map((row) => [row.list, row]));
  return (list) => {
    const own = byList.get(list.key);
    const risk = hasRisk(list) ? byList.get(riskRevision) : undefined;
    return { revision: own?.revision ?? 0, listed: own?.listed ?? 0, risk: risk?.revision ?? 0 };
  };
}

/** Ten thousand values each: that they are a list is checked, not each of them. */
const Values = z.custom<readonly StoredValue[]>(Array.isArray).nullable();
const Batch = z.object({
  ids: z.array(z.number()).nullable(),
  listed: z.array(z.boolean()).nullable(),
  revision: z.number().nullable(),
  columns: z.array(Values),
});

/** Every row of the list, by number. Throws when `signal` is aborted. */
export async function readWhole(
  database: Queryable,
  memory: ListMemory,
  signal?: AbortSignal,
): Promise<void> {
  for (let above = 0; ; ) {
    signal?.throwIfAborted();
    const where = 'id > $1 order by id';
    const { rows } = await readBatch(database, memory, where, [above]);
    memory.write(rows);
    const last = rows.ids.at(-1);
    if (last === undefined || rows.ids.length < rowsABatch) return;
    above = last;
  }
}

/** The rows that were written after this revision. */
export async function readWritten(
  database: Queryable,
  memory: ListMemory,
  after: number,
): Promise<void> {
  let from: readonly [revision: number, id: number] = [after, Number.MAX_SAFE_INTEGER];
  for (;;) {
    const where = '(revision, id) > ($1::bigint, $2::bigint) order by revision, id';
    const { rows, revision } = await readBatch(database, memory, where, from);
    memory.write(rows);
    const last = rows.ids.at(-1);
    if (last === undefined || rows.ids.length < rowsABatch) return;
    from = [revision, last];
  }
}

/** Values arrive as one list for each column: a row of its own for each record takes the driver three times as long. */
async function readBatch(
  database: Queryable,
  { list, textColumns }: ListMemory,
  where: string,
  values: readonly number[],
): Promise<{ readonly rows: ReadRows; readonly revision: number }> {
  const names = fieldsInMemory(list);
  const columns = [
    ...new Set([...names.map((name) => columnsOfField(list, name).column), ...textColumns]),
  ];
  const lists = columns.map((column) => `json_agg(${column})`).join(', ');
  const [batch] = await queryRows(
    database,
    Batch,
    `select json_agg(id) as ids, json_agg(withdrawn_time is null) as listed, max(revision) as revision,
       json_build_array(${lists}) as columns
     from (select id, withdrawn_time, revision${columns.map((column) => `, ${column}`).join('')}
       from ${searchedRelation(list)} where ${where} limit ${rowsABatch}) as batch`,
    values,
  );
  const valuesOf = (column: string) => batch?.columns[columns.indexOf(column)] ?? [];
  const fields = new Map(names.map((name) => [name, valuesOf(columnsOfField(list, name).column)]));
  const texts: ReadTexts = new Map(
    textColumns.map((column) => [column, valuesOf(column) as readonly (string | null)[]]),
  );
  return {
    rows: { ids: batch?.ids ?? [], listed: batch?.listed ?? [], fields, texts },
    revision: batch?.revision ?? 0,
  };
}

const textsABatch = 5_000;
const TextBatch = z.object({
  ids: z.array(z.number()).nullable(),
  texts: z.custom<readonly (string | null)[]>(Array.isArray).nullable(),
});

/** Reads the texts of the next rows above this number; the number of the last one, null at the end of the list. */
export async function readTexts(
  database: Queryable,
  memory: ListMemory,
  column: string,
  above: number,
): Promise<number | null> {
  const [batch] = await queryRows(
    database,
    TextBatch,
    `select json_agg(id) as ids, json_agg(${column}) as texts
     from (select id, ${column} from ${memory.list.key} where withdrawn_time is null and id > $1 order by id limit ${textsABatch}) as batch`,
    [above],
  );
  const ids = batch?.ids ?? [];
  memory.writeTexts(ids, new Map([[column, batch?.texts ?? []]]));
  return ids.length < textsABatch ? null : (ids.at(-1) ?? null);
}

const RiskBatch = z.object({
  ids: z.array(z.number()).nullable(),
  exploited: z.array(z.boolean().nullable()).nullable(),
  last: z.tuple([z.number(), z.string(), z.number()]).nullable(),
});

/** Which records have become known exploited, or are no longer, after this revision of the risk. */
export async function readRisk(
  database: Queryable,
  memory: ListMemory,
  after: number,
): Promise<void> {
  const { list } = memory;
  if (!memory.words.has(riskFlag)) return;
  const ofAll = list.viewOf !== undefined;
  let from: readonly [revision: number, list: string, recordId: number] = [after + 1, '', 0];
  for (;;) {
    const [batch] = await queryRows(
      database,
      RiskBatch,
      `select json_agg(id) filter (where id is not null) as ids, json_agg(exploited) filter (where id is not null) as exploited,
         (array_agg(json_build_array(revision, list, record_id) order by revision desc, list desc, record_id desc))[1] as last
       from (select ${ofAll ? 'record.id' : 'changed.record_id as id'}, changed.*
         from (select revision, list, record_id, exploited from record_risk
           where (revision, list, record_id) > ($1::bigint, $2::text, $3::bigint)
           order by revision, list, record_id limit ${rowsABatch}) as changed
         ${ofAll ? 'left join record on coalesce(record.risk_scope, record.list) = changed.list and record.record_id = changed.record_id' : `where changed.list = '${list.key}'`}) as batch`,
      from,
    );
    if (batch === undefined || batch.last === null) return;
    if (batch.ids !== null)
      memory.writeFields(batch.ids, new Map([[riskFlag, batch.exploited ?? []]]));
    from = batch.last;
  }
}

const RangeRow = z.object({ range: z.number(), rows: z.number() });

/** Numbers of rows whose rows are counted together. */
const rangeLength = 50_000;

/** Rows that were deleted say nothing: ranges in which the memory holds more rows than the list are read again by their numbers. */
export async function dropDeleted(database: Queryable, memory: ListMemory): Promise<void> {
  const { key } = memory.list;
  const counted = await queryRows(
    database,
    RangeRow,
    `select id / ${rangeLength} as range, count(*)::int as rows from ${key} where withdrawn_time is null group by 1`,
    [],
  );
  const kept = new Map(counted.map(({ range, rows }) => [range, rows]));
  const held = new Map<number, number>();
  for (const [position, id] of memory.ids.entries()) {
    const range = Math.floor(id / rangeLength);
    if (memory.listed[position] === 1) held.set(range, (held.get(range) ?? 0) + 1);
  }
  for (const [range, rows] of held) {
    if (rows === (kept.get(range) ?? 0)) continue;
    const [above, upTo] = [range * rangeLength - 1, (range + 1) * rangeLength - 1];
    const [batch] = await queryRows(
      database,
      Batch.pick({ ids: true }),
      `select json_agg(id) as ids from ${key} where withdrawn_time is null and id > $1 and id <= $2`,
      [above, upTo],
    );
    memory.keepOnly(above, upTo, new Set(batch?.ids));
  }
}
