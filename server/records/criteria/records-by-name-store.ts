/**
 * Finds records by name (identifier, title or package) in the index of all records, then reads their fields from their own lists by
 * id.
 */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import {
  ratingField,
  releaseDateField,
  titleFields,
} from '@patch/catalogue/definition/record-name.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { jsonObject } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { allWordsSql, columnsOfField } from '../../platform/database/rows/list-columns.ts';
import { truncateFolded } from '../../platform/database/rows/stored-row.ts';
import { isNamedSql } from '../../platform/database/searched-relation.ts';
import { getNameColumns } from './keyword-parts.ts';

/** The searched names that each record of a list contains, by id. */
export type NamesByRecord = ReadonlyMap<number, ReadonlySet<string>>;

/** A name in more records than this is too common: it then finds only records with that identifier, alias or title. */
const maxRecordsOfName = 10_000;

const maxShown = 10;

const HitsRow = z.object({ name: z.string(), list: z.string(), ids: z.array(z.number()) });

/** Returns the records that contain one of the folded names, by list. Omits lists without such records. */
export async function findRecordsByNames(
  database: Queryable,
  names: readonly string[],
): Promise<ReadonlyMap<string, NamesByRecord>> {
  const searched = names.map((name) => name.replaceAll('\0', ''));
  const rows = await queryRows(
    database,
    HitsRow,
    // Queries each name separately, because with a limit for each the planner does not scan the complete index.
    hitsSql(`select list, record_id from record where ${isNamedSql('name')}
      limit ${maxRecordsOfName + 1}`),
    [arrayText(searched)],
  );
  const counts = new Map<string, number>();
  for (const { name, ids } of rows) counts.set(name, (counts.get(name) ?? 0) + ids.length);
  const common = searched.filter((name) => (counts.get(name) ?? 0) > maxRecordsOfName);
  const found = rows.filter(({ name }) => !common.includes(name));
  if (common.length > 0) found.push(...(await findRecordsByOwnName(database, common)));
  return groupByList(found);
}

/** Finds records whose identifier, alias or title is one of the names. */
async function findRecordsByOwnName(
  database: Queryable,
  names: readonly string[],
): Promise<readonly z.infer<typeof HitsRow>[]> {
  const hasName = ['identifier_folded', 'alias_folded', 'title_folded'].map(
    (column) => `${column} = line`,
  );
  const lines = new Map(names.map((name) => [name, truncateFolded(name)]));
  return queryRows(
    database,
    HitsRow,
    hitsSql(
      `select list, record_id from record where (${hasName.join(' or ')}) and ${isNamedSql('name')}`,
      'unnest($1::text[], $2::text[]) as searched(name, line)',
    ),
    [arrayText([...lines.keys()]), arrayText([...lines.values()])],
  );
}

const WithdrawnRow = z.object({ list: z.string(), id: z.number(), time: z.number() });
export type WithdrawnRow = z.infer<typeof WithdrawnRow>;

/** Returns at most ten withdrawn records that contain one of the folded names, the last withdrawn first. */
export function findWithdrawnByNames(
  database: Queryable,
  names: readonly string[],
): Promise<readonly WithdrawnRow[]> {
  return queryRows(
    database,
    WithdrawnRow,
    `select distinct list, id, withdrawn_time as time from unnest($1::text[]) as searched(name)
      join stored_record on ${isNamedSql('name')} where withdrawn_time > 0
    order by withdrawn_time desc, id limit ${maxShown}`,
    [arrayText(names.map((name) => name.replaceAll('\0', '')))],
  );
}

const hitsSql = (hits: string, searched = 'unnest($1::text[]) as searched(name)') =>
  `select name, list, json_agg(record_id) as ids from ${searched} cross join lateral (${hits}) as hit group by name, list`;

function groupByList(
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

export const FirstRecord = z.object({
  id: z.number(),
  /** Identifier, title and severity fields by name. */
  row: jsonObject,
  releaseDate: z.number().nullable(),
  /** True when the record's name is in `first`. */
  own: z.boolean(),
});
export type FirstRecord = z.infer<typeof FirstRecord>;

/** Reads the first ten of these records in the default order. Records whose name is in `first` (folded) precede all others. */
export function readFirstRecords(
  database: Queryable,
  list: ListDefinition,
  ids: Iterable<number>,
  first: readonly string[],
): Promise<readonly FirstRecord[]> {
  return queryRows(database, FirstRecord, firstRecordsSql(list), [
    arrayText([...ids]),
    arrayText(first.map((name) => truncateFolded(name.replaceAll('\0', '')))),
  ]);
}

/** Parameters: $1 ids of the records, $2 names of those that come first. */
function firstRecordsSql(list: ListDefinition): string {
  const { sorted } = columnsOfField(list, list.defaultSort.replace(/^-/, ''));
  const direction = list.defaultSort.startsWith('-') ? 'desc' : 'asc';
  const tests = getNameColumns(list).map((column) => `${column} = any($2::text[])`);
  const hasName = `coalesce(${tests.join(' or ') || 'false'}, false)`;
  const order = `${hasName} desc, ${sorted} ${direction} nulls last, id ${direction}`;
  return `select id, ${rowJson(list)} as row, ${releaseDateSql(list)} as "releaseDate", ${hasName} as own from (
      select * from ${list.key} where id = any($1::bigint[]) order by ${order} limit ${maxShown}) as page
    order by ${order}`;
}

function rowJson(list: ListDefinition): string {
  const severity = ratingField(list);
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
  return `(detail ->> '${date.name}')::bigint`;
}

const LinesRow = z.object({ keyword: z.string(), called: z.array(z.string().nullable()) });

/** Reads the folded names that a record contains and its own names, also for a withdrawn record. Returns null for an unknown id. */
export async function readNamesOfRecord(
  database: Queryable,
  list: ListDefinition,
  id: number,
): Promise<{ readonly lines: readonly string[]; readonly hasName: readonly string[] } | null> {
  const [found] = await queryRows(
    database,
    LinesRow,
    `select ${allWordsSql(list)} as keyword, json_build_array(${getNameColumns(list).join(', ')}) as called from ${list.key} where id = $1`,
    [id],
  );
  if (found === undefined) return null;
  return {
    lines: found.keyword.split('\n'),
    hasName: found.called.filter((name) => name !== null),
  };
}
