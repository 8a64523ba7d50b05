/** Runs a statement and checks each row against a schema. All typed values from SQL come from here. */
import type { z } from 'zod';
import type { Queryable, QueryLimits } from './database.ts';

/** Long enough to find the statement in the source. */
const maxStatementLength = 300;

/** A row differs from its schema: the statement and its schema disagree, or the tables were changed by other means. */
export class UnexpectedRowError extends Error {
  override readonly name = 'UnexpectedRowError';
  /** The columns that differ. */
  readonly columns: readonly string[];

  constructor(statement: string, issues: readonly z.core.$ZodIssue[]) {
    const descriptions = issues.map(
      ({ path, message }) => `column "${toColumn(path)}": ${message}`,
    );
    super(
      `The database returned an unexpected row: ${descriptions.join('; ')}. ${toOneLine(statement)}`,
    );
    this.columns = [...new Set(issues.map(({ path }) => toColumn(path)))];
  }
}

/**
 * Returns the rows of one statement, without columns that the schema does not have, unless it is a loose object.
 * @throws DatabaseError when the database refuses the statement.
 * @throws UnexpectedRowError when a row differs from the schema. The error has columns and types, never a value.
 */
export async function queryRows<Row>(
  database: Queryable,
  schema: z.ZodType<Row>,
  text: string,
  values?: readonly unknown[],
  limits?: QueryLimits,
): Promise<readonly Row[]> {
  const { rows } = await database.query(text, values, limits);
  return rows.map((row) => {
    const checked = schema.safeParse(row);
    if (!checked.success) throw new UnexpectedRowError(text, checked.error.issues);
    return checked.data;
  });
}

/** Returns the values of a statement with one column, as `queryRows` returns rows. */
export async function queryValues<Value>(
  database: Queryable,
  schema: z.ZodType<Value>,
  text: string,
  values?: readonly unknown[],
): Promise<readonly Value[]> {
  const { rows } = await database.query(text, values);
  return rows.flatMap((row) =>
    Object.entries(row).map(([column, value]) => {
      const checked = schema.safeParse(value);
      if (checked.success) return checked.data;
      const issues = checked.error.issues.map((issue) => ({ ...issue, path: [column] }));
      throw new UnexpectedRowError(text, issues);
    }),
  );
}

/** Returns the first step of the path; deeper ones are keys of a JSON value, which are data. */
function toColumn(path: readonly PropertyKey[]): string {
  return String(path[0] ?? '');
}

/** Shortens a statement to one line. It contains no values, since these are parameters. */
function toOneLine(statement: string): string {
  const line = statement.replaceAll(/\s+/g, ' ').trim();
  return line.length <= maxStatementLength
    ? `Statement: ${line}`
    : `Statement: ${line.slice(0, maxStatementLength)}…`;
}
