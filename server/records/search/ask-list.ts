/** Asks the database about one list for a statement that answers exactly one row. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { z } from 'zod';
import { type ListSource, type Pace, readerOf } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import type { Statement } from './search-sql.ts';

/** `pace`: only plain first pages, of which each is little work, go before all others. Throws when the list has no revision. */
export async function askList<Answer>(
  database: ListSource,
  list: ListDefinition,
  schema: z.ZodType<Answer>,
  { text, values }: Statement,
  pace: Pace = 'yielding',
): Promise<Answer> {
  const [answer] = await queryRows(readerOf(database, list), schema, text, values, pace);
  if (answer === undefined) throw new Error('The list has no revision: its migration is missing');
  return answer;
}
