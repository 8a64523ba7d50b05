/** What the catalogue holds: how many rows each list shows and how many of them have each field. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { z } from 'zod';
import type { Queryable } from './database.ts';
import { tableColumnsOfList } from './list-columns.ts';
import { queryRows } from './query-rows.ts';

export interface ListFill {
  readonly rows: number;
  /** By field, in the order in which the list declares them: rows in which it has a value. */
  readonly filled: Readonly<Record<string, number>>;
}

const CountsRow = z.record(z.string(), z.number());

export async function fillOf(database: Queryable, list: ListDefinition): Promise<ListFill> {
  const columns = tableColumnsOfList(list);
  const counts = columns.map(({ column }, place) => `count(${column}) as field${place}`);
  const rows = await queryRows(
    database,
    CountsRow,
    `select count(*) as rows, ${counts.join(', ')} from ${list.key} where withdrawn_time is null`,
  );
  const [counted = {}] = rows;
  return {
    rows: counted['rows'] ?? 0,
    filled: Object.fromEntries(
      columns.map(({ field }, place) => [field, counted[`field${place}`] ?? 0]),
    ),
  };
}
