/** Finds records of the index by their words, which are stored a line each. */
import { z } from 'zod';
import { arrayText } from './array-text.ts';
import type { Queryable } from './database.ts';
import { queryValues } from './query-rows.ts';
import { isNamedSql } from './searched-relation.ts';

/**
 * Returns the ids, in the index, of the records with one of these words (folded) in the column. Looks up each word: PostgreSQL estimates
 * that hundreds of words together are in most records, and would read the table.
 */
export const findRecordsWithAny = (
  database: Queryable,
  column: 'cve_folded' | 'names',
  words: readonly string[],
): Promise<readonly number[]> =>
  queryValues(
    database,
    z.number(),
    `select distinct record.id from unnest($1::text[]) as searched(word)
     join record on ${column === 'names' ? isNamedSql('searched.word') : String.raw`string_to_array(record.cve_folded, E'\n') && array[searched.word]`}`,
    [arrayText(words)],
  );
