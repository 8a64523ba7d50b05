/** Counts rows, and reads a page of them with their total. */
import type { z } from 'zod';
import type { Queryable } from './database.ts';
import { TotalRow } from './plain-rows.ts';
import { queryRows } from './query-rows.ts';

export async function countRows(
  database: Queryable,
  from: string,
  values: readonly unknown[] = [],
): Promise<number> {
  const text = `select count(*) as total from ${from}`;
  const [row] = await queryRows(database, TotalRow, text, values);
  return row?.total ?? 0;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

interface PageOptions {
  readonly columns: string;
  readonly from: string;
  readonly order: string;
  readonly offset: number;
  readonly size: number;
}

export async function readPage<Row>(
  database: Queryable,
  schema: z.ZodType<Row>,
  { columns, from, order, offset, size }: PageOptions,
  values: readonly unknown[] = [],
): Promise<Page<Row>> {
  const text = `select ${columns} from ${from} order by ${order} limit ${size} offset ${offset}`;
  const rows = await queryRows(database, schema, text, values);
  return { rows, total: await countRows(database, from, values) };
}
