/** What restoring a dump asks of the database that it goes into. */
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Database, Queryable, Session } from '../../platform/database/database.ts';
import { NameRow, TotalRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import type { CopyCell } from './copy-lines.ts';
import { identityColumns, indexesOf, quoted } from './dumped-tables-store.ts';

export interface FoundTables {
  readonly names: readonly string[];
  /** They are Patch Repository's own. */
  readonly ours: boolean;
}

export async function existingTables(database: Queryable): Promise<FoundTables> {
  const rows = await queryRows(
    database,
    NameRow,
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p')
       and not exists (select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e')
     order by 1`,
  );
  const names = rows.map(({ name }) => name);
  return { names, ours: names.includes('migration') && names.includes('list_revision') };
}

const SignatureRow = z.object({ signature: z.string() });

/** With the functions that their triggers call. */
export async function dropTables(tx: Session, names: readonly string[]): Promise<void> {
  if (names.length > 0) await tx.script(`drop table ${names.map(quoted).join(', ')} cascade`);
  const rows = await queryRows(
    tx,
    SignatureRow,
    `select p.oid::regprocedure::text as signature from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname = 'public' and p.prokind in ('f', 'p')
       and not exists (select from pg_depend d where d.objid = p.oid and d.classid = 'pg_proc'::regclass and d.deptype = 'e')`,
  );
  if (rows.length > 0)
    await tx.script(`drop routine ${rows.map(({ signature }) => signature).join(', ')} cascade`);
}

/** Other connections of the service to this database. */
export async function otherConnections(database: Queryable): Promise<number> {
  const rows = await queryRows(
    database,
    TotalRow,
    `select count(*) as total from pg_stat_activity
     where datname = current_database() and application_name = 'patch-repository' and pid <> pg_backend_pid()`,
  );
  return rows[0]?.total ?? 0;
}

const ColumnTypesRow = z.object({ table: z.string(), name: z.string(), type: z.string() });

/** The columns of every table that rows can be restored into: their types by name, by table. */
export async function columnTypes(
  database: Queryable,
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const rows = await queryRows(
    database,
    ColumnTypesRow,
    `select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       and not exists (select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e')`,
  );
  const tables = new Map<string, Map<string, string>>();
  for (const { table, name, type } of rows) {
    const columns = tables.get(table) ?? new Map<string, string>();
    tables.set(table, columns.set(name, type));
  }
  return tables;
}

/** Empties the tables, rows that migrations wrote too, and drops their indexes: rows come in much faster. Answers how to make them again. */
export async function emptyTables(
  tx: Session,
  names: readonly string[],
): Promise<readonly string[]> {
  const indexes = await indexesOf(tx);
  if (indexes.length > 0)
    await tx.script(`drop index ${indexes.map(({ name }) => quoted(name)).join(', ')}`);
  if (names.length > 0) await tx.script(`truncate ${names.map(quoted).join(', ')}`);
  return indexes.map(({ definition }) => definition);
}

export interface RestoredSequence {
  readonly table: string;
  readonly column: string;
  readonly last: number;
  readonly called: boolean;
}

/** False where the column has no sequence. */
export async function setSequence(
  tx: Queryable,
  { table, column, last, called }: RestoredSequence,
): Promise<boolean> {
  const known = (await identityColumns(tx)).some(
    (one) => one.table === table && one.column === column,
  );
  if (known)
    await tx.query('select setval(pg_get_serial_sequence($1, $2), $3, $4)', [
      quoted(table),
      column,
      last,
      called,
    ]);
  return known;
}

export interface RowsToRestore {
  readonly table: string;
  readonly columns: readonly string[];
  readonly types: ReadonlyMap<string, string>;
  readonly rows: readonly (readonly CopyCell[])[];
}

/** Every value goes as text and is read by the database itself: what a type is written as is its own matter. */
export async function restoreRows(
  tx: Queryable,
  { table, columns, types, rows }: RowsToRestore,
): Promise<void> {
  const values = columns.map((column, place) => {
    const type = types.get(column);
    if (type === undefined) throw new Error(`${table} has no column ${column}`);
    return `c${place}::${type}`;
  });
  const arrays = columns.map((_, place) => `$${place + 1}::text[]`);
  const names = columns.map((_, place) => `c${place}`);
  await tx.query(
    `insert into ${quoted(table)} (${columns.map(quoted).join(', ')}) overriding system value
     select ${values.join(', ')} from unnest(${arrays.join(', ')}) as given(${names.join(', ')})`,
    columns.map((_, place) => arrayText(rows.map((row) => row[place] ?? null))),
  );
}

export async function refreshAllStatistics(database: Database): Promise<void> {
  const { names } = await existingTables(database);
  await database.script(`vacuum (analyze) ${names.map(quoted).join(', ')}`);
}
