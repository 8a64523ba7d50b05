/** Runs a statement of a search, which returns one row. */
import type { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { DatabaseError } from '../../platform/database/database-error.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { createCallerLeftError } from './search-limit.ts';
import type { Statement } from './search-sql.ts';

/** @throws AppError `search_too_expensive` after the statement timeout, `caller_left` when `signal` was aborted. */
export async function runStatement<Answer>(
  database: Queryable,
  schema: z.ZodType<Answer>,
  { text, values, keepsPlan = false }: Statement,
  signal?: AbortSignal,
): Promise<Answer> {
  try {
    const limits = { keepsPlan, ...(signal !== undefined && { signal }) };
    const [answer] = await queryRows(database, schema, text, values, limits);
    if (answer === undefined) throw new Error('The statement of a search returned no row');
    return answer;
  } catch (error) {
    throw toAppError(error);
  }
}

function toAppError(error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error;
  if (error.code === 'cancelled') return createCallerLeftError();
  if (error.code !== 'timeout') return error;
  return new AppError(
    'search_too_expensive',
    'PostgreSQL ended this search because it took too long. Use fewer conditions that look inside texts, or narrow it by a date or by a word that few records have.',
  );
}
