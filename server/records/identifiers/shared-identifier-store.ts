/**
 * Finds the records of a list that name something: as their own name, or as one of the words and identifiers of their keyword, each of
 * which stands on a line of its own there.
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
import { columnsOfField, columnsOfList } from '../../platform/database/list-columns.ts';
import { jsonObject } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { foldedLine } from '../../platform/database/stored-row.ts';
import { indexablePattern, literally } from '../search/like-pattern.ts';
import { type ListSamples, rowsWithParts } from '../search/list-sample-store.ts';

export const NamingRecord = z.object({
  id: z.number(),
  /** The fields that say what it is, by name. */
  row: jsonObject,
  releaseDate: z.number().nullable(),
  /** Of the names asked for, folded as they were asked. */
  shares: z.array(z.string()),
});
export type NamingRecord = z.infer<typeof NamingRecord>;

export interface NamingRecords {
  readonly total: number;
  readonly records: readonly NamingRecord[];
}

export interface RequestedNames {
  /** Folded. */
  readonly names: readonly string[];
  /** Records of such a name come before all others; folded. */
  readonly first: readonly string[];
}

const maxRecords = 10;

/** A word that stands in more rows than this names nothing: only records that are called so are looked for then. */
const maxCandidates = 10_000;

const Answer = z.object({
  candidates: z.number(),
  total: z.number(),
  records: z.array(NamingRecord),
});
type Answer = z.infer<typeof Answer>;

export interface NamingParts {
  readonly database: Queryable;
  readonly samples: ListSamples;
}

export async function recordsNaming(
  { database, samples }: NamingParts,
  list: ListDefinition,
  asked: RequestedNames,
): Promise<NamingRecords> {
  const names = asked.names.map((name) => name.replaceAll('\0', ''));
  const patterns = [
    ...new Set(names.map((name) => indexablePattern(`%${literally(name)}%`))),
  ].filter((pattern) => pattern !== null);
  const ask = async (candidates: string, values: readonly unknown[]): Promise<Answer> => {
    const first = arrayText(asked.first.map((name) => foldedLine(name.replaceAll('\0', ''))));
    const rows = await queryRows(database, Answer, pageSql(list, candidates), [
      arrayText(names),
      first,
      ...values,
    ]);
    return rows[0] ?? { candidates: 0, total: 0, records: [] };
  };
  if (
    patterns.length === names.length &&
    rowsWithParts(patterns, await samples.of(list)) <= maxCandidates
  ) {
    const found = await ask(
      `select id, keyword from ${list.key} where withdrawn_time is null and keyword like any($3::text[]) limit ${maxCandidates + 1}`,
      [arrayText(patterns)],
    );
    if (found.candidates <= maxCandidates) return found;
  }
  return ask(calledSql(list), [arrayText(names.map(foldedLine))]);
}

/** By the ordered indexes of the fields that names stand in. */
function calledSql(list: ListDefinition): string {
  const columns = columnsOfList(list).flatMap(({ field, kind, storage, folded }) =>
    folded !== null && !storage.long && (kind === 'identifier' || list.identity.includes(field))
      ? [`${folded} = any($3::text[])`]
      : [],
  );
  return `select id, keyword from ${list.key} where withdrawn_time is null and (${columns.join(' or ')})`;
}

/** $1 the names, $2 those that come first. */
function pageSql(list: ListDefinition, candidates: string): string {
  const identity = identityColumns(list);
  const { sorted } = columnsOfField(list, list.defaultSort.replace(/^-/, ''));
  const direction = list.defaultSort.startsWith('-') ? 'desc' : 'asc';
  const called = `coalesce(${identity.map((column) => `${column} = any($2::text[])`).join(' or ') || 'false'}, false)`;
  return `with candidates as materialized (${candidates}),
    hits as materialized (select id, keyword from candidates where string_to_array(keyword, E'\\n') && $1::text[]),
    page as (select ${list.key}.*, hits.keyword as lines, row_number() over (order by ${called} desc, ${sorted} ${direction} nulls last, id ${direction}) as place
      from hits join ${list.key} using (id) order by place limit ${maxRecords})
    select (select count(*) from candidates) as candidates, (select count(*) from hits) as total,
      (select coalesce(json_agg(json_build_object('id', id, 'row', ${rowJson(list)}, 'releaseDate', ${releaseDateSql(list)},
        'shares', array(select name from unnest($1::text[]) as name where name = any(string_to_array(lines, E'\\n')))) order by place), '[]') from page) as records`;
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
  if (date === undefined) return 'null';
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
