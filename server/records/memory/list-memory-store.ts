/** Loads a list into memory and refreshes it, in batches that occupy the database only briefly. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import {
  beginAfter,
  type ChangedRisk,
  type RiskCursor,
  readChangedRisk,
} from '../../platform/database/records/changed-risk-store.ts';
import { allWordsSql, columnsOfField } from '../../platform/database/rows/list-columns.ts';
import {
  hasRisk,
  isRiskField,
  riskRevision,
  searchedRelation,
} from '../../platform/database/searched-relation.ts';
import {
  fieldsInMemory,
  type ListMemory,
  type ReadRows,
  type ReadTexts,
  type StoredValue,
} from './list-memory.ts';

/** The version of a list at one moment. */
export interface ListStamp {
  /** Of the database. A restored one has another, and revisions that may have been used before. */
  readonly epoch: string;
  readonly revision: number;
  /** Count of rows that are not withdrawn. */
  readonly listed: number;
  /** Revision of the risk sources; 0 for a list without risk fields. */
  readonly risk: number;
}

const StampRow = z.object({
  epoch: z.string(),
  list: z.string(),
  revision: z.number(),
  listed: z.number(),
});

/** Reads the stamps of all lists from one snapshot. */
export async function readStamps(
  database: Queryable,
): Promise<(list: ListDefinition) => ListStamp> {
  const rows = await queryRows(
    database,
    StampRow,
    'select epoch, list, revision, listed from list_revision, change_epoch',
  );
  const byList = new Map(rows.map((row) => [row.list, row]));
  return (list) => {
    const own = byList.get(list.key);
    const risk = hasRisk(list) ? byList.get(riskRevision) : undefined;
    return {
      epoch: rows[0]?.epoch ?? '',
      revision: own?.revision ?? 0,
      listed: own?.listed ?? 0,
      risk: risk?.revision ?? 0,
    };
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

/** Reads every row of the list in the order of ids. */
export async function readAllRows(
  database: Queryable,
  memory: ListMemory,
  rowsPerBatch: number,
): Promise<void> {
  for (let above = 0; ; ) {
    const where = `id > $1 order by id limit ${rowsPerBatch}`;
    const { rows } = await readBatch(database, allColumns(memory), where, [above]);
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
  rowsPerBatch: number,
): Promise<void> {
  let from: readonly [revision: number, id: number] = [after, Number.MAX_SAFE_INTEGER];
  for (;;) {
    const where = `(revision, id) > ($1::bigint, $2::bigint) order by revision, id limit ${rowsPerBatch}`;
    const { rows, revision } = await readBatch(database, allColumns(memory), where, from);
    memory.write(rows);
    const last = rows.ids.at(-1);
    if (last === undefined || rows.ids.length < rowsPerBatch) return;
    from = [revision, last];
  }
}

interface ReadColumns {
  readonly list: ListDefinition;
  readonly fields: readonly string[];
  /** Columns of the database. */
  readonly names: readonly string[];
  /** Columns of the database. */
  readonly texts: readonly string[];
}

const allColumns = ({ list, names, textColumns }: ListMemory): ReadColumns => ({
  list,
  fields: fieldsInMemory(list),
  names: [...names.keys()],
  texts: textColumns,
});

/** Reads one array for each column, because separate rows take the driver three times as long. */
async function readBatch(
  database: Queryable,
  { list, fields, names, texts }: ReadColumns,
  where: string,
  values: readonly (number | string)[],
): Promise<{ readonly rows: Required<ReadRows>; readonly revision: number }> {
  const columns = [
    ...new Set([...fields.map((name) => columnsOfField(list, name).column), ...names, ...texts]),
  ];
  const lists = columns.map((column) => `json_agg(${column})`).join(', ');
  const [batch] = await queryRows(
    database,
    Batch,
    `select json_agg(id) as ids, json_agg(withdrawn_time is null) as listed, max(revision) as revision,
       json_build_array(${lists}) as columns
     from (select id, withdrawn_time, revision${columns.map((column) => `, ${valueSql(list, column)}`).join('')}
       from ${searchedRelation(list)} where ${where}) as batch`,
    values,
  );
  const getValues = (column: string) => batch?.columns[columns.indexOf(column)] ?? [];
  const readTextsOf = (textsOf: readonly string[]): ReadTexts =>
    new Map(textsOf.map((column) => [column, getValues(column) as readonly (string | null)[]]));
  return {
    rows: {
      ids: batch?.ids ?? [],
      listed: batch?.listed ?? [],
      fields: new Map(fields.map((name) => [name, getValues(columnsOfField(list, name).column)])),
      names: readTextsOf(names),
      texts: readTextsOf(texts),
    },
    revision: batch?.revision ?? 0,
  };
}

/** The text of a CVE in memory that no column has: its title and its description, which no keyword is compared with. */
export const descriptionText = 'description';

/** The text `keyword` in memory has all words that a keyword is compared with. */
function valueSql(list: ListDefinition, column: string): string {
  if (column === 'keyword') return `${allWordsSql(list)} as keyword`;
  return column === descriptionText
    ? `concat_ws(E'\\n', title_folded, lower(detail ->> 'description' collate "C")) as ${column}`
    : column;
}

const textsPerBatch = 5_000;

/** Reads the texts of the next batch of rows, withdrawn ones too, with ids above `above`. Returns the last id, or null at the end of the list. */
export async function readTexts(
  database: Queryable,
  memory: ListMemory,
  column: string,
  above: number,
): Promise<number | null> {
  const read = { list: memory.list, fields: [], names: [], texts: [column] };
  const where = `id > $1 order by id limit ${textsPerBatch}`;
  const { ids, texts } = (await readBatch(database, read, where, [above])).rows;
  memory.writeTexts(ids, texts);
  return ids.length < textsPerBatch ? null : (ids.at(-1) ?? null);
}

/** Reads the flags of the rows whose risk has changed after this revision, as `readAllRows` reads them. */
export async function readRiskChanges(
  database: Queryable,
  memory: ListMemory,
  after: number,
  rowsPerBatch: number,
): Promise<void> {
  const { list } = memory;
  const fields = fieldsInMemory(list).filter((name) => isRiskField(list, name));
  if (fields.length === 0) return;
  let from: RiskCursor | null = beginAfter(after);
  while (from !== null) {
    const changed: ChangedRisk = await readChangedRisk(database, list, from, rowsPerBatch);
    const where = 'id = any($1::bigint[])';
    const read = { list, fields, names: [], texts: [] };
    const { rows } = await readBatch(database, read, where, [arrayText(changed.ids)]);
    memory.writeFields(rows.ids, rows.fields);
    from = changed.next;
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
