/** The contents of a dump, from the database's own catalog: tables, columns, indexes, sequences, and the rows as text. */
import { z } from 'zod';
import { cursorRows } from '../../platform/database/cursor-rows.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { TotalRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import type { CopyCell } from './copy-lines.ts';

export const DumpedTable = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  /** Tables whose rows must exist before its own. */
  refersTo: z.array(z.string()),
});
export type DumpedTable = z.infer<typeof DumpedTable>;

/** Rows that are useless elsewhere, or that would help an attacker who has the dump: a whole table, or the rows of a condition. */
const leftOut: Readonly<Record<string, string>> = {
  sessions: 'true',
  sign_in_attempts: 'true',
  export_ticket: 'true',
  download_ticket: 'true',
  // The files are not in the dump.
  download_job: 'true',
  password_reset: 'true',
  // Clients start over: their cursors are not valid in a restored database.
  client_position: 'true',
  change_epoch: 'true',
  migration: 'true',
  // They hold secret links, and would be sent again.
  mail_outbox: `state = 'queued'`,
};

/** Written with the tables themselves. */
export const recreatedTables: ReadonlySet<string> = new Set(['change_epoch', 'migration']);

/** Short-lived tables of later versions are recognised by their names. */
const shortLived = /(^|_)(tickets?|sessions?|attempts?|challenges?)$/;

const leftOutOf = (table: string): string | undefined =>
  Object.hasOwn(leftOut, table) ? leftOut[table] : undefined;
const conditionOf = (table: string): string =>
  leftOutOf(table) ?? (shortLived.test(table) ? 'true' : 'false');

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** Tables of the product's schema, ordered so that every row follows those that it refers to. One with partitions is one table. */
export async function dumpedTables(database: Queryable): Promise<readonly DumpedTable[]> {
  const rows = await queryRows(
    database,
    DumpedTable,
    `select c.relname as name,
       (select json_agg(a.attname order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
       (select coalesce(json_agg(distinct r.relname), '[]') from pg_constraint f join pg_class r on r.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as "refersTo"
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
       and not exists (select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e')
     order by c.relname`,
  );
  return referredFirst(rows);
}

function referredFirst(tables: readonly DumpedTable[]): readonly DumpedTable[] {
  const ordered: DumpedTable[] = [];
  const left = [...tables];
  while (left.length > 0) {
    const ready = left.findIndex(
      ({ refersTo }) => !refersTo.some((name) => left.some((other) => other.name === name)),
    );
    if (ready < 0)
      throw new Error(
        `These tables refer to each other in a circle: ${left.map(({ name }) => name).join(', ')}`,
      );
    ordered.push(...left.splice(ready, 1));
  }
  return ordered;
}

export async function countOfTable(database: Queryable, { name }: DumpedTable): Promise<number> {
  const rows = await queryRows(
    database,
    TotalRow,
    `select count(*) as total from ${quoted(name)} where not (${conditionOf(name)})`,
  );
  return rows[0]?.total ?? 0;
}

/** Inside a transaction. */
export async function* rowsOfTable(
  session: Queryable,
  { name, columns }: DumpedTable,
): AsyncGenerator<readonly (readonly CopyCell[])[]> {
  const cells = columns.map((column, place) => `${quoted(column)}::text as c${place}`);
  const select = `select ${cells.join(', ')} from ${quoted(name)} where not (${conditionOf(name)})`;
  // A table's rows are checked by one schema that is built for it: a record schema takes five times as long.
  const TextRow: z.ZodType<Record<string, CopyCell>> = z.object(
    Object.fromEntries(columns.map((_, place) => [`c${place}`, z.string().nullable()])),
  );
  const lengthOf = (row: Record<string, CopyCell>) =>
    Object.values(row).reduce((sum, cell) => sum + (cell?.length ?? 0), 0);
  for await (const rows of cursorRows(session, TextRow, select, lengthOf))
    yield rows.map((row) => Object.values(row));
}

const IndexesOfRow = z.object({ name: z.string(), definition: z.string() });

/** Indexes that no constraint uses: they are dropped while rows are loaded. Those of tables with partitions stay. */
export async function indexesOf(
  database: Queryable,
): Promise<readonly { readonly name: string; readonly definition: string }[]> {
  const rows = await queryRows(
    database,
    IndexesOfRow,
    `select i.relname as name, pg_get_indexdef(x.indexrelid) as definition
     from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid join pg_namespace n on n.oid = t.relnamespace
     where n.nspname = 'public' and t.relkind = 'r' and not i.relispartition and not exists (select from pg_constraint k where k.conindid = x.indexrelid)
     order by t.relname, i.relname`,
  );
  return rows;
}

export interface IdentityColumn {
  readonly table: string;
  readonly column: string;
  readonly last: number;
  /** False: `last` has not been handed out yet. */
  readonly called: boolean;
}

const IdentityColumnsRow = z.object({
  table: z.string(),
  column: z.string(),
  sequence: z.string(),
});

const IdentityColumnsRow2 = z.object({ last: z.number(), called: z.boolean() });

/** Sequences are not part of a snapshot: read after the rows, so that none is behind them. */
export async function identityColumns(database: Queryable): Promise<readonly IdentityColumn[]> {
  const rows = await queryRows(
    database,
    IdentityColumnsRow,
    `select c.relname as table, a.attname as column, pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind = 'r' and a.attidentity <> '' order by c.relname`,
  );
  const columns: IdentityColumn[] = [];
  for (const { table, column, sequence } of rows) {
    const asked = await queryRows(
      database,
      IdentityColumnsRow2,
      `select last_value as last, is_called as called from ${sequence}`,
    );
    const [state] = asked;
    if (state !== undefined) columns.push({ table, column, ...state });
  }
  return columns;
}

const AppliedMigrationsRow = z.object({ name: z.string(), checksum: z.string() });

export async function appliedMigrations(
  database: Queryable,
): Promise<readonly { readonly name: string; readonly checksum: string }[]> {
  const rows = await queryRows(
    database,
    AppliedMigrationsRow,
    'select name, checksum from migration order by name',
  );
  return rows;
}

/** From now on the transaction sees the database as it is now. Must be its first statement. */
export async function useSnapshotIsolation(session: Queryable): Promise<void> {
  await session.query('set transaction isolation level repeatable read, read only');
}
