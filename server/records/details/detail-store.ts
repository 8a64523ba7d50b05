/** Reads a record of a list, also a withdrawn one, with all its details. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import {
  isRestricted,
  restrictedFacts,
  restrictedMask,
} from '@patch/catalogue/definition/restricted-fields.ts';
import type { WireDetail, WireRow } from '@patch/contract/base/row-schema.ts';
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { jsonObject } from '../../platform/database/plain-rows.ts';
import { queryRows, queryValues } from '../../platform/database/query-rows.ts';
import {
  columnsOfField,
  columnsOfList,
  openSealed,
} from '../../platform/database/rows/list-columns.ts';
import { hasNameSql, searchedRelation } from '../../platform/database/searched-relation.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';

const DetailRow = z.object({
  detail: jsonObject.nullable(),
  created_time: z.number(),
  updated_time: z.number(),
  withdrawn_time: z.number().nullable(),
  row: jsonObject,
});
type DetailRow = z.infer<typeof DetailRow>;

/** Opens sealed values, for callers who may read restricted fields. */
export type OpenRestricted = SecretBox['open'];

/** Returns null when the list has no record with that id. Masks restricted fields unless the caller passes `open`. */
export async function readDetail(
  database: Queryable,
  list: ListDefinition,
  id: number,
  open: OpenRestricted | null = null,
): Promise<WireDetail | null> {
  const [found] = await queryRows(
    database,
    DetailRow,
    `select detail, created_time, updated_time, withdrawn_time, ${rowAsJson(list)} as row
     from ${searchedRelation(list)} where id = $1`,
    [id],
  );
  if (found === undefined) return null;
  const { facts, tables } = list.detail;
  const detail = found.detail ?? {};
  const stamps = { created: found.created_time, updated: found.updated_time };
  const readTimes = await readPartTimes(database, list);
  const stated = Object.entries(facts).map(([name, { stamped, lastReadOf }]) => {
    if (lastReadOf !== undefined) return [name, readTimes.get(lastReadOf) ?? null];
    return [name, stamped === undefined ? (detail[name] ?? null) : stamps[stamped]];
  });
  const tabled = Object.keys(tables).map((name) => [name, detail[name] ?? []]);
  return {
    id,
    ...found.row,
    ...Object.fromEntries(stated),
    ...(open === null ? maskValues(list) : openSealed(list, found.row, open)),
    ...Object.fromEntries(tabled),
    firstSeenTime: found.created_time,
    changedTime: found.updated_time,
    withdrawnTime: found.withdrawn_time,
  } as WireDetail;
}

const PartTimeRow = z.object({ part: z.string(), readAt: z.number() });

/** Returns the time at which each part of the feed that a fact refers to was last read, here or by the installation whose bundle was applied. */
async function readPartTimes(
  database: Queryable,
  { source, detail }: ListDefinition,
): Promise<ReadonlyMap<string, number>> {
  const parts = Object.values(detail.facts).flatMap(({ lastReadOf }) => lastReadOf ?? []);
  if (parts.length === 0) return new Map();
  const rows = await queryRows(
    database,
    PartTimeRow,
    `select part, max(time) as "readAt" from (
       select part, read_time as time from feed_part where source = $1 and part = any($2::text[])
       union all select part, made_time from bundle_applied cross join unnest($2::text[]) as stated(part) where source = $1
     ) as each_time group by part`,
    [source, arrayText(parts)],
  );
  return new Map(rows.map(({ part, readAt }) => [part, readAt]));
}

function maskValues(list: ListDefinition): Readonly<Record<string, string>> {
  const names = [
    ...Object.keys(list.fields).filter((name) => isRestricted(list, name)),
    ...restrictedFacts(list),
  ];
  return Object.fromEntries(names.map((name) => [name, restrictedMask]));
}

function rowAsJson(list: ListDefinition): string {
  const shown = columnsOfList(list).map(
    ({ field, column, storage }) =>
      `'${field}', ${storage.several ? `string_to_array(${column}, E'\\n')` : column}`,
  );
  return `jsonb_build_object(${shown.join(', ')})`;
}

const maxRowsOfName = 500;

const IdentifiedRow = z.object({ id: z.number(), row: jsonObject });

/** Reads the listed rows with that folded value in a field, ordered by id. */
export async function readRowsByName(
  database: Queryable,
  list: ListDefinition,
  field: string,
  folded: string,
): Promise<WireRow[]> {
  const rows = await queryRows(
    database,
    IdentifiedRow,
    `select id, ${rowAsJson(list)} as row from ${searchedRelation(list)} where ${hasNameSql(list, foldedColumn(list, field), '$1')} and withdrawn_time is null
     order by id limit ${maxRowsOfName}`,
    [arrayText([folded])],
  );
  return rows.map(({ id, row }) => ({ ...row, id }));
}

function foldedColumn(list: ListDefinition, field: string): string {
  const column = columnsOfField(list, field).folded;
  if (column === null) throw new Error(`${list.key}.${field} is not a text field`);
  return column;
}

/** Returns the id of the record with that folded value in a field, or null. Prefers a listed record to a withdrawn one. */
export async function findByName(
  database: Queryable,
  list: ListDefinition,
  field: string,
  folded: string,
): Promise<number | null> {
  const named = hasNameSql(list, foldedColumn(list, field), '$1');
  const find = async (which: string) => {
    const [id = null] = await queryValues(
      database,
      z.number(),
      `select id from ${list.key} where ${named} and ${which} order by id limit 1`,
      [arrayText([folded])],
    );
    return id;
  };
  return (await find('withdrawn_time is null')) ?? (await find('withdrawn_time is not null'));
}
