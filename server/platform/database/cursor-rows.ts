/** Reads the rows of a query of any size in batches of about a megabyte. */
import type { z } from 'zod';
import type { Queryable } from './database.ts';
import { queryRows } from './query-rows.ts';

const wantedCharacters = 1024 * 1024;
const maxRows = 2000;

/** Must run inside a transaction, one at a time. `select` has no parameters. */
export async function* cursorRows<Row>(
  tx: Queryable,
  schema: z.ZodType<Row>,
  select: string,
  measureRow: (row: Row) => number,
): AsyncGenerator<readonly Row[]> {
  await tx.query(`declare reading no scroll cursor for ${select}`);
  let wanted = 20;
  for (;;) {
    const rows = await queryRows(tx, schema, `fetch ${wanted} from reading`);
    if (rows.length > 0) yield rows;
    if (rows.length < wanted) break;
    const characters = rows.reduce((sum, row) => sum + measureRow(row), 0);
    wanted = Math.max(
      1,
      Math.min(
        maxRows,
        wanted * 4,
        Math.floor((wantedCharacters * rows.length) / Math.max(1, characters)),
      ),
    );
  }
  await tx.query('close reading');
}
