/**
 * Runs statements that are written as tagged templates. Each interpolated value becomes a parameter; only fragments made by `sql`
 * and the functions of this file become text. See docs/decisions/079.
 */
import { join, raw, Sql } from 'sql-template-tag';
import { z } from 'zod';
import type { Queryable } from './database.ts';
import { queryRows } from './query-rows.ts';

/** Objects are refused: JSON is passed as text. */
export type SqlValue =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly string[]
  | readonly number[]
  | Sql;

type Template<Result> = (
  strings: TemplateStringsArray,
  ...values: readonly SqlValue[]
) => Promise<Result>;

/** Creates a fragment of a statement, with its parameters. */
export const sql = (strings: TemplateStringsArray, ...values: readonly SqlValue[]): Sql =>
  new Sql(strings, values);

/** Returns text of the code as a fragment, such as a condition that other modules share. Never pass input. */
export const fragment = (text: string): Sql => raw(text);

/** Joins fragments, such as the conditions of a search. At least one is required. */
export const joinSql = (fragments: readonly Sql[], separator: string): Sql =>
  join(fragments, separator);

/** Runs a statement and returns the number of its rows. */
export const execute =
  (database: Queryable): Template<number> =>
  async (strings, ...values) => {
    const statement = new Sql(strings, values);
    return (await database.query(statement.text, statement.values)).count;
  };

/** Runs a statement and returns whether it inserted, changed or deleted exactly one row. */
export const executeOne =
  (database: Queryable): Template<boolean> =>
  async (...template) =>
    (await execute(database)(...template)) === 1;

/**
 * Reads the rows of a statement.
 * @throws UnexpectedRowError when a row differs from the schema, as all functions below do.
 */
export const fetchRows =
  <Row>(database: Queryable, schema: z.ZodType<Row>): Template<readonly Row[]> =>
  (strings, ...values) => {
    const statement = new Sql(strings, values);
    return queryRows(database, schema, statement.text, statement.values);
  };

/** Reads the first row; null without one. */
export const fetchRow =
  <Row>(database: Queryable, schema: z.ZodType<Row>): Template<Row | null> =>
  async (...template) =>
    (await fetchRows(database, schema)(...template))[0] ?? null;

/** Reads the row of a statement that always has one. */
export const requireRow =
  <Row>(database: Queryable, schema: z.ZodType<Row>): Template<Row> =>
  async (...template) => {
    const [row] = await fetchRows(database, schema)(...template);
    if (row === undefined) throw new Error(`No row: ${template[0].join('?').trim()}`);
    return row;
  };

/** Reads the values of a statement with one column. */
export const fetchValues =
  <Value>(database: Queryable, schema: z.ZodType<Value>): Template<readonly Value[]> =>
  async (...template) => {
    const rows = await fetchRows(database, z.record(z.string(), schema))(...template);
    return rows.flatMap((row) => Object.values(row));
  };

/** Reads the only column of the first row; null without a row. */
export const fetchValue =
  <Value>(database: Queryable, schema: z.ZodType<Value>): Template<Value | null> =>
  async (...template) =>
    (await fetchValues(database, schema)(...template))[0] ?? null;

/** Reads the only value of a statement that always has a row, such as a count or the id of an inserted row. */
export const requireValue =
  <Value>(database: Queryable, schema: z.ZodType<Value>): Template<Value> =>
  async (...template) => {
    const row = await requireRow(database, z.record(z.string(), schema))(...template);
    return Object.values(row)[0] as Value;
  };

/** Returns the columns of a schema's fields: `id, user_id as "userId"`. `others`: expressions of fields that are named differently. */
export function columnsOf(schema: z.ZodObject, others: Readonly<Record<string, string>> = {}): Sql {
  const columns = Object.keys(schema.shape).map((name) => {
    const column = others[name] ?? toColumn(name);
    return column === name ? name : `${column} as "${name}"`;
  });
  return raw(columns.join(', '));
}

/** Returns columns and values of an insert, by the columns' names in camelCase: `(id, user_id) values ($1, $2)`. */
export function columnValues(row: Readonly<Record<string, SqlValue>>): Sql {
  return sql`(${raw(Object.keys(row).map(toColumn).join(', '))}) values (${join(Object.values(row))})`;
}

/** Returns what an update sets, by the columns' names in camelCase: `user_id = $1, name = $2`. */
export function assignments(row: Readonly<Record<string, SqlValue>>): Sql {
  return join(
    Object.entries(row).map(([name, value]) => sql`${raw(toColumn(name))} = ${value}`),
    ', ',
  );
}

/** Names are text of the statement, so that only names that the code can have are accepted. */
function toColumn(name: string): string {
  if (!/^[a-z]\w{0,62}$/.test(name)) throw new Error('A column has no such name');
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
