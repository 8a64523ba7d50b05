/**
 * Runs statements that are written as tagged templates. Each interpolated value becomes a parameter; only fragments made by `sql`
 * become text. See docs/decisions/079.
 */
import { join, raw, Sql } from 'sql-template-tag';
import { z } from 'zod';
import type { Queryable } from './database.ts';
import { queryRows, queryValues } from './query-rows.ts';

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

const createFragment = (strings: TemplateStringsArray, ...values: readonly SqlValue[]): Sql =>
  new Sql(strings, values);

/** Creates a fragment of a statement, with its parameters. */
export const sql = Object.assign(createFragment, {
  /** Returns text of the code as a fragment, such as a condition that other modules share. Never pass input. */
  raw: (text: string): Sql => raw(text),

  /** Joins fragments. At least one is required. */
  join: (fragments: readonly Sql[], separator: string): Sql => join(fragments, separator),

  /** Returns the columns of a schema's fields: `id, user_id as "userId"`. `others`: expressions of fields that are named differently. */
  columns(schema: z.ZodObject, others: Readonly<Record<string, string>> = {}): Sql {
    const columns = Object.keys(schema.shape).map((name) => {
      const column = others[name] ?? toColumn(name);
      return column === name ? name : `${column} as "${name}"`;
    });
    return raw(columns.join(', '));
  },

  /** Returns columns and values of an insert, by the columns' names in camelCase: `(id, user_id) values ($1, $2)`. */
  values(row: Readonly<Record<string, SqlValue>>): Sql {
    const columns = raw(Object.keys(row).map(toColumn).join(', '));
    return createFragment`(${columns}) values (${join(Object.values(row))})`;
  },

  /** Returns what an update sets, by the columns' names in camelCase: `user_id = $1, name = $2`. */
  assignments(row: Readonly<Record<string, SqlValue>>): Sql {
    const set = Object.entries(row).map(
      ([name, value]) => createFragment`${raw(toColumn(name))} = ${value}`,
    );
    return join(set, ', ');
  },
});

/** Names are text of the statement, so that only names that the code can have are accepted. */
function toColumn(name: string): string {
  if (!/^[a-z]\w{0,62}$/.test(name)) throw new Error('A column has no such name');
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Runs a statement. Those with a schema throw an UnexpectedRowError when a row differs from it. */
export const query = {
  /** Returns the number of selected, inserted, changed or deleted rows. */
  run:
    (database: Queryable): Template<number> =>
    async (...template) => {
      const { text, values } = sql(...template);
      return (await database.query(text, values)).count;
    },

  /** Returns whether it selected, inserted, changed or deleted exactly one row. */
  runOne:
    (database: Queryable): Template<boolean> =>
    async (...template) =>
      (await query.run(database)(...template)) === 1,

  rows:
    <Row>(database: Queryable, schema: z.ZodType<Row>): Template<readonly Row[]> =>
    (...template) => {
      const { text, values } = sql(...template);
      return queryRows(database, schema, text, values);
    },

  /** Returns the first row; null without one. */
  row:
    <Row>(database: Queryable, schema: z.ZodType<Row>): Template<Row | null> =>
    async (...template) =>
      (await query.rows(database, schema)(...template))[0] ?? null,

  /** Returns the row of a statement that always has one. */
  requiredRow:
    <Row>(database: Queryable, schema: z.ZodType<Row>): Template<Row> =>
    async (...template) => {
      const [row] = await query.rows(database, schema)(...template);
      if (row === undefined) throw new Error(`No row: ${template[0].join('?').trim()}`);
      return row;
    },

  /** Returns the only column. */
  values:
    <Value>(database: Queryable, schema: z.ZodType<Value>): Template<readonly Value[]> =>
    (...template) => {
      const { text, values } = sql(...template);
      return queryValues(database, schema, text, values);
    },

  /** Returns the only column of the first row; null without a row. */
  value:
    <Value>(database: Queryable, schema: z.ZodType<Value>): Template<Value | null> =>
    async (...template) =>
      (await query.values(database, schema)(...template))[0] ?? null,

  /** Returns the only value of a statement that always has a row, such as a count or the id of an inserted row. */
  requiredValue:
    <Value>(database: Queryable, schema: z.ZodType<Value>): Template<Value> =>
    async (...template) => {
      const row = await query.requiredRow(database, z.record(z.string(), schema))(...template);
      return Object.values(row)[0] as Value;
    },
};
