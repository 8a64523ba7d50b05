/** Reads the rows of a query of any size in batches of about a megabyte. */
import type { z } from 'zod';
import type { Queryable } from './database.ts';
import { queryRows } from './query-rows.ts';

const wantedCharacters = 1024 * 1024;
const maxRows = 2000;

/**
 * Must run inside a transaction, one at a time. The next batch is read while the caller works on one: the caller runs no
 * statement in the transaction meanwhile, which would fail in place of a reading that failed.
 * @param select - A query without parameters.
 */
export async function* cursorRows<Row>(
  tx: Queryable,
  schema: z.ZodType<Row>,
  select: string,
  measureRow: (row: Row) => number,
): AsyncGenerator<readonly Row[]> {
  await tx.query(`declare reading no scroll cursor for ${select}`);
  let wanted = 20;
  let reading = fetchRows(tx, schema, wanted);
  try {
    for (;;) {
      const rows = await reading;
      const isLast = rows.length < wanted;
      if (!isLast) {
        wanted = rowsOfNext(rows, wanted, measureRow);
        reading = fetchRows(tx, schema, wanted);
      }
      if (rows.length > 0) yield rows;
      if (isLast) break;
    }
  } finally {
    await reading.catch(() => undefined);
  }
  await tx.query('close reading');
}

function fetchRows<Row>(
  tx: Queryable,
  schema: z.ZodType<Row>,
  wanted: number,
): Promise<readonly Row[]> {
  const rows = queryRows(tx, schema, `fetch ${wanted} from reading`);
  // A failure is thrown when the caller asks for the batch.
  rows.catch(() => undefined);
  return rows;
}

function rowsOfNext<Row>(
  rows: readonly Row[],
  wanted: number,
  measureRow: (row: Row) => number,
): number {
  const characters = rows.reduce((sum, row) => sum + measureRow(row), 0);
  const fitting = Math.floor((wantedCharacters * rows.length) / Math.max(1, characters));
  return Math.max(1, Math.min(maxRows, wanted * 4, fitting));
}
