/** Reads the contents of a dump by the database's own catalog: tables, columns, indexes, sequences, and the rows as text. */
import { z } from 'zod';
import { countRows } from '../../platform/database/counted-rows.ts';
import { cursorRows } from '../../platform/database/cursor-rows.ts';
import type { Database, Queryable, Session } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import type { CopyCell } from './dump-lines.ts';

export const DumpedTable = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  /** Tables whose rows must exist before its own. */
  refersTo: z.array(z.string()),
});
export type DumpedTable = z.infer<typeof DumpedTable>;

/** SQL conditions of rows that are useless elsewhere, or that would help an attacker who has the dump. */
const excludedRows: Readonly<Record<string, string>> = {
  sessions: 'true',
  sign_in_attempts: 'true',
  export_ticket: 'true',
  download_ticket: 'true',
  // The dump does not contain the files.
  download_job: 'true',
  password_reset: 'true',
  // Clients begin again: their cursors are invalid in a restored database.
  client_position: 'true',
  change_epoch: 'true',
  started_epoch: 'true',
  migration: 'true',
  // They contain secret links, and would be sent again.
  outbox: `channel_id is null and state = 'queued'`,
};

/** Tables whose rows are written when the tables are created. */
export const recreatedTables: ReadonlySet<string> = new Set(['change_epoch', 'migration']);

/** Recognizes short-lived tables of later versions by their names. */
const shortLived = /(^|_)(tickets?|sessions?|attempts?|challenges?)$/;

const getExclusion = (table: string): string | undefined =>
  Object.hasOwn(excludedRows, table) ? excludedRows[table] : undefined;
const exclusionCondition = (table: string): string =>
  getExclusion(table) ?? (shortLived.test(table) ? 'true' : 'false');

export const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`;

/**
 * Returns the tables of the product's schema, ordered so that every row follows those that it refers to. A partitioned table is
 * one table.
 */
export async function readDumpedTables(database: Queryable): Promise<readonly DumpedTable[]> {
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
  return sortByReference(rows);
}

function sortByReference(tables: readonly DumpedTable[]): readonly DumpedTable[] {
  const ordered: DumpedTable[] = [];
  const remaining = [...tables];
  while (remaining.length > 0) {
    const ready = remaining.findIndex(
      ({ refersTo }) => !refersTo.some((name) => remaining.some((other) => other.name === name)),
    );
    if (ready < 0)
      throw new Error(
        `These tables refer to each other in a circle: ${remaining.map(({ name }) => name).join(', ')}`,
      );
    ordered.push(...remaining.splice(ready, 1));
  }
  return ordered;
}

export const countTableRows = (database: Queryable, { name }: DumpedTable): Promise<number> =>
  countRows(database, `${quoteName(name)} where not (${exclusionCondition(name)})`);

/** Requires a transaction. */
export async function* readTableRows(
  session: Queryable,
  { name, columns }: DumpedTable,
): AsyncGenerator<readonly (readonly CopyCell[])[]> {
  const cells = columns.map((column, index) => `${quoteName(column)}::text as c${index}`);
  const select = `select ${cells.join(', ')} from ${quoteName(name)} where not (${exclusionCondition(name)})`;
  // One object schema per table: a record schema takes five times as long.
  const TextRow: z.ZodType<Record<string, CopyCell>> = z.object(
    Object.fromEntries(columns.map((_, index) => [`c${index}`, z.string().nullable()])),
  );
  const rowLength = (row: Record<string, CopyCell>) =>
    Object.values(row).reduce((sum, cell) => sum + (cell?.length ?? 0), 0);
  for await (const rows of cursorRows(session, TextRow, select, rowLength))
    yield rows.map((row) => Object.values(row));
}

const IndexRow = z.object({ name: z.string(), definition: z.string() });

/** Returns the indexes that no constraint uses, which are dropped while rows are loaded. Those of partitioned tables stay. */
export async function readIndexes(
  database: Queryable,
): Promise<readonly { readonly name: string; readonly definition: string }[]> {
  return queryRows(
    database,
    IndexRow,
    `select i.relname as name, pg_get_indexdef(x.indexrelid) as definition
     from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid join pg_namespace n on n.oid = t.relnamespace
     where n.nspname = 'public' and t.relkind = 'r' and not i.relispartition and not exists (select from pg_constraint k where k.conindid = x.indexrelid)
     order by t.relname, i.relname`,
  );
}

const IdentityColumn = z.object({
  table: z.string(),
  column: z.string(),
  last: z.number(),
  /** False: `last` is still unused. */
  called: z.boolean(),
});
export type IdentityColumn = z.infer<typeof IdentityColumn>;

/** Sequences are not part of a snapshot: read them after the rows, so that none is behind. */
export const readIdentityColumns = (database: Queryable): Promise<readonly IdentityColumn[]> =>
  queryRows(
    database,
    IdentityColumn,
    `select c.relname as table, a.attname as column, coalesce(s.last_value, s.start_value) as last, s.last_value is not null as called
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
       join pg_sequences s on format('%I.%I', s.schemaname, s.sequencename) = pg_get_serial_sequence(quote_ident(c.relname), a.attname)
     where n.nspname = 'public' and c.relkind = 'r' and a.attidentity <> '' order by c.relname`,
  );

const AppliedMigrationsRow = z.object({ name: z.string(), checksum: z.string() });

export async function readAppliedMigrations(
  database: Queryable,
): Promise<readonly { readonly name: string; readonly checksum: string }[]> {
  return queryRows(
    database,
    AppliedMigrationsRow,
    'select name, checksum from migration order by name',
  );
}

/** Makes the transaction see the database as of now. Must be its first statement. */
export async function useSnapshotIsolation(session: Queryable): Promise<void> {
  await session.query('set transaction isolation level repeatable read, read only');
}

/** @param database Without a statement timeout. */
export function withSnapshot<T>(database: Database, work: (tx: Session) => Promise<T>): Promise<T> {
  return database.transaction(async (tx) => {
    await useSnapshotIsolation(tx);
    return work(tx);
  });
}
