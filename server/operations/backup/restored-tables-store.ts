/** Database access for restoring a dump. */
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import { countRows } from '../../platform/database/counted-rows.ts';
import type { Database, Queryable, Session } from '../../platform/database/database.ts';
import { NameRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import type { CopyCell } from './dump-lines.ts';
import {
  type IdentityColumn,
  quoteName,
  readIdentityColumns,
  readIndexes,
} from './dumped-tables-store.ts';

export interface FoundTables {
  readonly names: readonly string[];
  /** The tables belong to Patch Repository. */
  readonly ours: boolean;
}

export async function readExistingTables(database: Queryable): Promise<FoundTables> {
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

/** Drops the tables and the functions that their triggers call. */
export async function dropTables(tx: Session, names: readonly string[]): Promise<void> {
  if (names.length > 0) await tx.script(`drop table ${names.map(quoteName).join(', ')} cascade`);
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

/** Counts other connections of the service to this database. */
export const countOtherConnections = (database: Queryable): Promise<number> =>
  countRows(
    database,
    `pg_stat_activity where datname = current_database() and application_name = 'patch-repository' and pid <> pg_backend_pid()`,
  );

const ColumnTypesRow = z.object({ table: z.string(), name: z.string(), type: z.string() });

/** Returns the column types of every table that can be restored: by table, then by column. */
export async function readColumnTypes(
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

/**
 * Empties the tables, including rows of migrations, and drops their indexes, since rows load much faster without. Returns the
 * indexes' definitions.
 */
export async function emptyTables(
  tx: Session,
  names: readonly string[],
): Promise<readonly string[]> {
  const indexes = await readIndexes(tx);
  if (indexes.length > 0)
    await tx.script(`drop index ${indexes.map(({ name }) => quoteName(name)).join(', ')}`);
  if (names.length > 0) await tx.script(`truncate ${names.map(quoteName).join(', ')}`);
  return indexes.map(({ definition }) => definition);
}

/** Returns false when the column has no sequence. */
export async function setSequence(
  tx: Queryable,
  { table, column, last, called }: IdentityColumn,
): Promise<boolean> {
  const known = (await readIdentityColumns(tx)).some(
    (one) => one.table === table && one.column === column,
  );
  if (known)
    await tx.query('select setval(pg_get_serial_sequence($1, $2), $3, $4)', [
      quoteName(table),
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

/** Sends every value as text, so that the database itself parses each type. */
export async function restoreRows(
  tx: Queryable,
  { table, columns, types, rows }: RowsToRestore,
): Promise<void> {
  const values = columns.map((column, index) => {
    const type = types.get(column);
    if (type === undefined) throw new Error(`${table} has no column ${column}`);
    return `c${index}::${type}`;
  });
  const arrays = columns.map((_, index) => `$${index + 1}::text[]`);
  const names = columns.map((_, index) => `c${index}`);
  await tx.query(
    `insert into ${quoteName(table)} (${columns.map(quoteName).join(', ')}) overriding system value
     select ${values.join(', ')} from unnest(${arrays.join(', ')}) as given(${names.join(', ')})`,
    columns.map((_, index) => arrayText(rows.map((row) => row[index] ?? null))),
  );
}

export async function refreshAllStatistics(database: Database): Promise<void> {
  const { names } = await readExistingTables(database);
  await database.script(`vacuum (analyze) ${names.map(quoteName).join(', ')}`);
}
