/**
 * Finds the records of a name through the index of records: an identifier, a title, a package. What the records are is then read from
 * their own lists, by number.
 */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import {
  releaseDateField,
  severityField,
  titleFields,
} from '@patch/catalogue/definition/record-name.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { columnsOfField } from '../../platform/database/list-columns.ts';
import { jsonObject } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { foldedLine } from '../../platform/database/stored-row.ts';

/** The names that each record of a list has of those that were asked for, by its number. */
export type NamedOfList = ReadonlyMap<number, ReadonlySet<string>>;

/** A name that more records have than this names nothing: only records that are called so are found by it. */
const maxRecordsOfName = 10_000;

const maxShown = 10;

const HitsRow = z.object({ name: z.string(), list: z.string(), ids: z.array(z.number()) });

/** By list, without lists in which none is found. `names` are folded. */
export async function recordsNamed(
  database: Queryable,
  names: readonly string[],
): Promise<ReadonlyMap<string, NamedOfList>> {
  const asked = names.map((name) => name.replaceAll('\0', ''));
  const rows = await queryRows(
    database,
    HitsRow,
    // One name at a time: so bounded, the planner never reads the whole index of records for them.
    hitsSql(`select list, record_id from record where string_to_array(names, E'\\n') && array[name]
      limit ${maxRecordsOfName + 1}`),
    [arrayText(asked)],
  );
  const counts = new Map<string, number>();
  for (const { name, ids } of rows) counts.set(name, (counts.get(name) ?? 0) + ids.length);
  const common = asked.filter((name) => (counts.get(name) ?? 0) > maxRecordsOfName);
  const found = rows.filter(({ name }) => !common.includes(name));
  if (common.length > 0) found.push(...(await recordsCalled(database, common)));
  return byList(found);
}

/** By the ordered indexes of what records are called. */
async function recordsCalled(
  database: Queryable,
  names: readonly string[],
): Promise<readonly z.infer<typeof HitsRow>[]> {
  const called = ['identifier_folded', 'alias_folded', 'title_folded'].map(
    (column) => `${column} = line`,
  );
  const lines = new Map(names.map((name) => [name, foldedLine(name)]));
  return queryRows(
    database,
    HitsRow,
    hitsSql(
      `select list, record_id from record where (${called.join(' or ')}) and string_to_array(names, E'\\n') @> array[name]`,
      'unnest($1::text[], $2::text[]) as asked(name, line)',
    ),
    [arrayText([...lines.keys()]), arrayText([...lines.values()])],
  );
}

const hitsSql = (hits: string, asked = 'unnest($1::text[]) as asked(name)') =>
  `select name, list, json_agg(record_id) as ids from ${asked} cross join lateral (${hits}) as hit group by name, list`;

function byList(
  rows: readonly z.infer<typeof HitsRow>[],
): ReadonlyMap<string, Map<number, Set<string>>> {
  const lists = new Map<string, Map<number, Set<string>>>();
  for (const { name, list, ids } of rows) {
    const records = lists.get(list) ?? new Map<number, Set<string>>();
    lists.set(list, records);
    for (const id of ids) records.set(id, (records.get(id) ?? new Set()).add(name));
  }
  return lists;
}

export const NamedRecord = z.object({
  id: z.number(),
  /** The fields that say what it is, by name. */
  row: jsonObject,
  releaseDate: z.number().nullable(),
});
export type NamedRecord = z.infer<typeof NamedRecord>;

/** The first ten of these records in the list's own order; those that are called by a name of `first` (folded) before all others. */
export function firstRecords(
  database: Queryable,
  list: ListDefinition,
  ids: Iterable<number>,
  first: readonly string[],
): Promise<readonly NamedRecord[]> {
  return queryRows(database, NamedRecord, firstRecordsSql(list), [
    arrayText([...ids]),
    arrayText(first.map((name) => foldedLine(name.replaceAll('\0', '')))),
  ]);
}

/** $1 the records, $2 the names of those that come first. */
function firstRecordsSql(list: ListDefinition): string {
  const { sorted } = columnsOfField(list, list.defaultSort.replace(/^-/, ''));
  const direction = list.defaultSort.startsWith('-') ? 'desc' : 'asc';
  const tests = identityColumns(list).map((column) => `${column} = any($2::text[])`);
  const called = `coalesce(${tests.join(' or ') || 'false'}, false)`;
  const order = `${called} desc, ${sorted} ${direction} nulls last, id ${direction}`;
  return `select id, ${rowJson(list)} as row, ${releaseDateSql(list)} as "releaseDate" from (
      select * from ${list.key} where id = any($1::bigint[]) order by ${order} limit ${maxShown}) as page
    order by ${order}`;
}

function identityColumns(list: ListDefinition): readonly string[] {
  return list.identity
    .map((name) => columnsOfField(list, name))
    .flatMap(({ folded, storage }) => (storage.long ? [] : (folded ?? [])));
}

function rowJson(list: ListDefinition): string {
  const severity = severityField(list);
  const names = new Set([
    ...list.identity,
    ...titleFields(list),
    ...(severity === undefined ? [] : [severity]),
  ]);
  return `json_build_object(${[...names].map((name) => `'${name}', ${columnsOfField(list, name).column}`).join(', ')})`;
}

function releaseDateSql(list: ListDefinition): string {
  const date = releaseDateField(list);
  if (date === undefined) return 'null::bigint';
  if (date.of === 'row') return columnsOfField(list, date.name).column;
  return `(select (detail ->> '${date.name}')::bigint from entry_detail where list = '${list.key}' and row_id = page.id)`;
}

const LinesRow = z.object({ keyword: z.string(), called: z.array(z.string().nullable()) });

/** What a record names, a line each, and what it is called, both folded; withdrawn ones too. Null when there is none of that number. */
export async function linesOfRecord(
  database: Queryable,
  list: ListDefinition,
  id: number,
): Promise<{ readonly lines: readonly string[]; readonly called: readonly string[] } | null> {
  const rows = await queryRows(
    database,
    LinesRow,
    `select keyword, json_build_array(${identityColumns(list).join(', ')}) as called from ${list.key} where id = $1`,
    [id],
  );
  const [found] = rows;
  if (found === undefined) return null;
  return { lines: found.keyword.split('\n'), called: found.called.filter((name) => name !== null) };
}
