/** Finds records of the index by their words, which are stored a line each. */
import { arrayText } from './array-text.ts';
import type { Queryable } from './database.ts';
import { IdRow } from './plain-rows.ts';
import { queryRows } from './query-rows.ts';
import { isNamedSql } from './searched-relation.ts';

/**
 * Returns the ids, in the index, of the records with one of these words (folded) in the column. Looks up each word: PostgreSQL estimates
 * that hundreds of words together are in most records, and would read the table.
 */
export async function findRecordsWithAny(
  database: Queryable,
  column: 'cve_folded' | 'names',
  words: readonly string[],
): Promise<readonly number[]> {
  const rows = await queryRows(
    database,
    IdRow,
    `select distinct record.id from unnest($1::text[]) as searched(word)
     join record on ${column === 'names' ? isNamedSql('searched.word') : String.raw`string_to_array(record.cve_folded, E'\n') && array[searched.word]`}`,
    [arrayText(words)],
  );
  return rows.map(({ id }) => id);
}
