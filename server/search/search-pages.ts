/** All rows of a search in its order, for exports: page after page, each found from where the last one ended, so that no page costs more for being far. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import type { WireRow } from '@patch/contract/row-schema.ts';
import type { Queryable } from '../database/database.ts';
import type { Mark } from './known-marks.ts';
import type { Search } from './search-request.ts';
import { type RowsAnswer, type Stretch, sortedValueSql, stretchesOf, walkSql } from './search-sql.ts';

/** Short enough that nobody who searches meanwhile waits long for the embedded database's one session. */
const rowsAPage = 500;

/**
 * Yields pages of rows until there are none. The search is sorted by one field. A sync may write between two pages: a row whose
 * place changes meanwhile may then be met at its old place, at its new one, or at both; all others are met once.
 */
export async function* searchPages(database: Queryable, search: Search): AsyncGenerator<readonly WireRow[]> {
  for (const stretch of stretchesOf(search)) yield* stretchPages(database, search, stretch);
}

async function* stretchPages(database: Queryable, search: Search, stretch: Stretch): AsyncGenerator<readonly WireRow[]> {
  for (let from: Mark | null = null; ; ) {
    const { text, values } = walkSql(search, { stretch, backwards: false, from, skip: 0 }, rowsAPage);
    const { rows: answers } = await database.query<RowsAnswer>(text, values);
    const rows = JSON.parse(`[${answers[0]?.rows ?? ''}]`) as readonly WireRow[];
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAPage) return;
    // Only value and id lead on from a mark.
    from = { place: 0, id: last.id, value: await sortedValue(database, search, last.id) };
  }
}

async function sortedValue(database: Queryable, search: Search, id: number): Promise<unknown> {
  const { text, values } = sortedValueSql(search, id);
  const { rows } = await database.query<{ value: unknown }>(text, values);
  if (rows[0] === undefined) throw new Error(`Row ${id} of ${nameOf(search)} was there a moment ago and is gone`);
  return rows[0].value;
}

const nameOf = ({ list }: { readonly list: ListDefinition }) => list.key;
