/** Loads a list into memory and refreshes it, in batches that occupy the database only briefly. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { allWordsSql, columnsOfField } from '../../platform/database/list-columns.ts';
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
  riskFlags,
  type StoredValue,
} from './list-memory.ts';

/** Rows of one statement. */
const rowsPerBatch = 2_000;

/** The version of a list at one moment. */
export interface ListStamp {
  readonly revision: number;
  /** Count of rows that are not withdrawn. */
  readonly listed: number;
  /** Revision of the risk sources; 0 for a list without risk fields. */
  readonly risk: number;
}

const StampRow = z.object({ list: z.string(), revision: z.number(), listed: z.number() });

/** Reads the stamps of all lists from one snapshot. */
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

/** Checks only that the values are an array, because it can have thousands of elements. */
const Values = z.custom<readonly StoredValue[]>(Array.isArray).nullable();
const Batch = z.object({
  ids: z.array(z.number()).nullable(),
  listed: z.array(z.boolean()).nullable(),
  revision: z.number().nullable(),
  columns: z.array(Values),
});

/** Reads every row of the list in the order of ids. Throws the reason of `signal` when it is aborted. */
export async function readAllRows(
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
    if (last === undefined || rows.ids.length < rowsPerBatch) return;
    above = last;
  }
}

/** Reads the rows that were written after this revision. */
export async function readRowsSince(
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
    if (last === undefined || rows.ids.length < rowsPerBatch) return;
    from = [revision, last];
  }
}

/** Reads one array for each column, because separate rows take the driver three times as long. */
async function readBatch(
  database: Queryable,
  { list, names: nameColumns, textColumns }: ListMemory,
  where: string,
  values: readonly number[],
): Promise<{ readonly rows: ReadRows; readonly revision: number }> {
  const names = fieldsInMemory(list);
  const columns = [
    ...new Set([
      ...names.map((name) => columnsOfField(list, name).column),
      ...nameColumns.keys(),
      ...textColumns,
    ]),
  ];
  const lists = columns.map((column) => `json_agg(${column})`).join(', ');
  const [batch] = await queryRows(
    database,
    Batch,
    `select json_agg(id) as ids, json_agg(withdrawn_time is null) as listed, max(revision) as revision,
       json_build_array(${lists}) as columns
     from (select id, withdrawn_time, revision${columns.map((column) => `, ${valueSql(list, column)}`).join('')}
       from ${searchedRelation(list)} where ${where} limit ${rowsPerBatch}) as batch`,
    values,
  );
  const getValues = (column: string) => batch?.columns[columns.indexOf(column)] ?? [];
  const fields = new Map(names.map((name) => [name, getValues(columnsOfField(list, name).column)]));
  const readTextsOf = (textsOf: Iterable<string>): ReadTexts =>
    new Map(
      Array.from(textsOf, (column) => [column, getValues(column) as readonly (string | null)[]]),
    );
  return {
    rows: {
      ids: batch?.ids ?? [],
      listed: batch?.listed ?? [],
      fields,
      names: readTextsOf(nameColumns.keys()),
      texts: readTextsOf(textColumns),
    },
    revision: batch?.revision ?? 0,
  };
}

/** The text `keyword` in memory has all words that a keyword is compared with. */
const valueSql = (list: ListDefinition, column: string) =>
  column === 'keyword' ? `${allWordsSql(list)} as keyword` : column;

const textsPerBatch = 5_000;
const TextBatch = z.object({
  ids: z.array(z.number()).nullable(),
  texts: z.custom<readonly (string | null)[]>(Array.isArray).nullable(),
});

/** Reads the texts of the next batch of rows, withdrawn ones too, with ids above `above`. Returns the last id, or null at the end of the list. */
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
     from (select id, ${valueSql(memory.list, column)} from ${memory.list.key} where id > $1 order by id limit ${textsPerBatch}) as batch`,
    [above],
  );
  const ids = batch?.ids ?? [];
  memory.writeTexts(ids, new Map([[column, batch?.texts ?? []]]));
  return ids.length < textsPerBatch ? null : (ids.at(-1) ?? null);
}

const RiskBatch = z.object({
  ids: z.array(z.number()).nullable(),
  exploited: z.array(z.boolean().nullable()).nullable(),
  ransomware: z.array(z.boolean().nullable()).nullable(),
  last: z.tuple([z.number(), z.string(), z.number()]).nullable(),
});

/** Reads the changes of the flags of risk after this revision of the risk sources. */
export async function readRiskChanges(
  database: Queryable,
  memory: ListMemory,
  after: number,
): Promise<void> {
  const { list } = memory;
  if (!riskFlags.some((flag) => memory.words.has(flag))) return;
  const isViewOfAll = list.viewOf !== undefined;
  let from: readonly [revision: number, list: string, recordId: number] = [after + 1, '', 0];
  for (;;) {
    const [batch] = await queryRows(
      database,
      RiskBatch,
      `select json_agg(id) filter (where id is not null) as ids, json_agg(exploited) filter (where id is not null) as exploited,
         json_agg(ransomware) filter (where id is not null) as ransomware,
         (array_agg(json_build_array(revision, list, record_id) order by revision desc, list desc, record_id desc))[1] as last
       from (select ${isViewOfAll ? 'record.id' : 'changed.record_id as id'}, changed.*
         from (select revision, list, record_id, exploited, ransomware from record_risk
           where (revision, list, record_id) > ($1::bigint, $2::text, $3::bigint)
           order by revision, list, record_id limit ${rowsPerBatch}) as changed
         ${isViewOfAll ? 'left join record on coalesce(record.risk_scope, record.list) = changed.list and record.record_id = changed.record_id' : `where changed.list = '${list.key}'`}) as batch`,
      from,
    );
    if (batch === undefined || batch.last === null) return;
    if (batch.ids !== null)
      memory.writeFields(
        batch.ids,
        new Map([
          ['exploited', batch.exploited ?? []],
          ['ransomware', batch.ransomware ?? []],
        ]),
      );
    from = batch.last;
  }
}

const RangeRow = z.object({ range: z.number(), rows: z.number() });

/** Ids of a range whose rows are counted together. */
const rangeLength = 50_000;

/** Finds deleted rows, which have no revision: reads the ids of ranges again in which memory has another count than the list. */
export async function withdrawDeleted(database: Queryable, memory: ListMemory): Promise<void> {
  const { key } = memory.list;
  const counted = await queryRows(
    database,
    RangeRow,
    `select id / ${rangeLength} as range, count(*)::int as rows from ${key} where withdrawn_time is null group by 1`,
    [],
  );
  const storedCounts = new Map(counted.map(({ range, rows }) => [range, rows]));
  const memoryCounts = new Map<number, number>();
  for (const [position, id] of memory.ids.entries()) {
    const range = Math.floor(id / rangeLength);
    if (memory.listed[position] === 1) memoryCounts.set(range, (memoryCounts.get(range) ?? 0) + 1);
  }
  for (const [range, rows] of memoryCounts) {
    if (rows === (storedCounts.get(range) ?? 0)) continue;
    const [above, upTo] = [range * rangeLength - 1, (range + 1) * rangeLength - 1];
    const [batch] = await queryRows(
      database,
      Batch.pick({ ids: true }),
      `select json_agg(id) as ids from ${key} where withdrawn_time is null and id > $1 and id <= $2`,
      [above, upTo],
    );
    memory.unlistOthers(above, upTo, new Set(batch?.ids));
  }
}
