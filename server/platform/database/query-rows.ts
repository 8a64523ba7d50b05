/** Runs a statement and checks each of its rows against a schema: the only way from SQL to typed values. */
import type { z } from 'zod';
import type { Queryable, QueryLimits } from './database.ts';

/** Long enough to find the statement in the source. */
const maxStatementLength = 300;

/** A row does not have the columns that the code expects: the statement and its schema disagree, or the tables were changed by other means. */
export class UnexpectedRowError extends Error {
  override readonly name = 'UnexpectedRowError';
  /** The columns that do not fit. */
  readonly columns: readonly string[];

  constructor(statement: string, issues: readonly z.core.$ZodIssue[]) {
    const told = issues.map(({ path, message }) => `column "${columnOf(path)}": ${message}`);
    super(`The database returned an unexpected row: ${told.join('; ')}. ${inOneLine(statement)}`);
    this.columns = [...new Set(issues.map(({ path }) => columnOf(path)))];
  }
}

/**
 * The rows of one statement. Columns that the schema does not name are left out, unless it is a loose object.
 * Rejects with a DatabaseError, and with an UnexpectedRowError when a row does not fit.
 */
export async function queryRows<Row>(
  database: Queryable,
  schema: z.ZodType<Row>,
  text: string,
  values?: readonly unknown[],
  limits?: QueryLimits,
): Promise<readonly Row[]> {
  const { rows } = await database.query(text, values, limits);
  return checkRows(schema, rows, text);
}

/** Throws an UnexpectedRowError at the first row that does not fit. The error names columns and types, never a value. */
function checkRows<Row>(
  schema: z.ZodType<Row>,
  rows: readonly unknown[],
  statement: string,
): readonly Row[] {
  return rows.map((row) => {
    const checked = schema.safeParse(row);
    if (!checked.success) throw new UnexpectedRowError(statement, checked.error.issues);
    return checked.data;
  });
}

/** Deeper steps of the path are keys of a JSON value, which are data. */
function columnOf(path: readonly PropertyKey[]): string {
  return String(path[0] ?? '');
}

/** Values are parameters, so that the text holds none. */
function inOneLine(statement: string): string {
  const line = statement.replaceAll(/\s+/g, ' ').trim();
  return line.length <= maxStatementLength
    ? `Statement: ${line}`
    : `Statement: ${line.slice(0, maxStatementLength)}…`;
}
