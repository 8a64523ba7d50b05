/** Asks the database about one list for a statement that answers exactly one row. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { z } from 'zod';
import { type ListSource, readerOf } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import type { Statement } from './search-sql.ts';

/** Throws when the list has no revision. */
export async function askList<Answer>(
  database: ListSource,
  list: ListDefinition,
  schema: z.ZodType<Answer>,
  { text, values }: Statement,
): Promise<Answer> {
  const [answer] = await queryRows(readerOf(database, list), schema, text, values);
  if (answer === undefined) throw new Error('The list has no revision: its migration is missing');
  return answer;
}
