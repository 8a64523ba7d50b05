/** Resets a database to the state after its migrations, much faster than by migrating again. */
import { z } from 'zod';
import type { Database, Queryable } from '../platform/database/database.ts';
import { queryRows } from '../platform/database/query-rows.ts';

/** The state after the migrations: a checksum of the schema, the written rows and the sequences. */
export interface MigratedState {
  readonly shape: string;
  readonly tables: readonly MigratedTable[];
  readonly sequences: string;
}

interface MigratedTable {
  readonly name: string;
  /** Columns that can be written, without generated ones. */
  readonly columns: readonly string[];
  /** Rows as JSON; null without rows. */
  readonly rows: string | null;
}

/**
 * The shape changes with every table, column, index, constraint, trigger and function of the schema, but not with rows. Only tables with
 * a file size can have rows.
 */
const shapeQuery = `
  with ours as (select oid, relname, relkind, reloptions from pg_class where relnamespace = 'public'::regnamespace)
  select sum(hash_record_extended(line, 0))::text as shape,
    array(select relname::text from ours where relkind = 'r' and pg_relation_size(oid) > 0) as written
  from (
    select (1, oid, relname, relkind, reloptions) as line from ours
    union all
    select (2, attrelid, attnum, attname, atttypid, attnotnull, atthasdef, attoptions)
      from pg_attribute where attrelid in (select oid from ours where relkind = 'r')
    union all
    select (3, oid, xmin) from pg_constraint where connamespace = 'public'::regnamespace
    union all
    select (4, oid, xmin, tgenabled) from pg_trigger where tgrelid in (select oid from ours)
    union all
    select (5, oid, xmin) from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select (6, nspname) from pg_namespace
  ) as lines`;

const tablesQuery = `
  select c.relname as name,
    array(select a.attname::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`;

const sequencesQuery = `
  select coalesce(json_agg(json_build_array(sequencename, coalesce(last_value, start_value), last_value is not null)
    order by sequencename), '[]')::text as sequences
  from pg_sequences where schemaname = 'public'`;

const ShapeRow = z.object({ shape: z.string(), written: z.array(z.string()) });
const TableRow = z.object({
  name: z.string(),
  columns: z.array(z.string()),
});
const SequencesRow = z.object({ sequences: z.string() });
const RowsRow = z.object({ rows: z.string().nullable() });
const ChangedRow = z.object({ changed: z.array(z.string()) });

const quoteName = (name: string) => `"${name}"`;
const rowsSql = (table: string) =>
  `(select json_agg(t order by t::text)::text from ${quoteName(table)} t)`;

/** Reads the state. Must be called right after the migrations. */
export async function readMigratedState(database: Database): Promise<MigratedState> {
  const tables: MigratedTable[] = [];
  for (const table of await queryRows(database, TableRow, tablesQuery)) {
    const [found] = await queryRows(database, RowsRow, `select ${rowsSql(table.name)} as rows`);
    tables.push({ ...table, rows: found?.rows ?? null });
  }
  const { shape } = await readShape(database);
  return { shape, tables, sequences: await readSequences(database) };
}

/** Resets the database. Returns false without a change when its schema differs from the state's. */
export async function resetDatabase(database: Database, state: MigratedState): Promise<boolean> {
  const { shape, written } = await readShape(database);
  if (shape !== state.shape) return false;
  const changed = await findChangedTables(database, state.tables, new Set(written));
  const sequences = await readSequences(database);
  if (changed.length === 0 && sequences === state.sequences) return true;
  await database.transaction(async (tx) => {
    // Disables triggers, which would count or refuse the restored rows.
    await tx.query("set local session_replication_role = 'replica'");
    if (changed.length > 0)
      // Cheaper than truncating, which creates new files for each table and index.
      await tx.query(
        `with ${changed.map(({ name }) => `${quoteName(`of ${name}`)} as (delete from ${quoteName(name)})`).join(', ')} select`,
      );
    for (const { name, columns, rows } of changed) {
      if (rows === null) continue;
      const list = columns.map(quoteName).join(', ');
      await tx.query(
        `insert into ${quoteName(name)} (${list}) overriding system value
         select ${list} from json_populate_recordset(null::${quoteName(name)}, $1::text::json)`,
        [rows],
      );
    }
    await tx.query(
      `select setval(format('public.%I', s ->> 0)::regclass, (s ->> 1)::bigint, (s ->> 2)::boolean)
       from json_array_elements($1::text::json) as s`,
      [state.sequences],
    );
  });
  return true;
}

/** Returns the tables whose rows differ from those of the migrations. */
async function findChangedTables(
  database: Database,
  tables: readonly MigratedTable[],
  written: ReadonlySet<string>,
): Promise<readonly MigratedTable[]> {
  const possible = tables.filter(({ name, rows }) => rows !== null || written.has(name));
  const conditions = possible.map(({ name, rows }, index) =>
    rows === null
      ? `case when exists (select from ${quoteName(name)}) then '${name}' end`
      : `case when ${rowsSql(name)} is distinct from ($1::text[])[${index + 1}] then '${name}' end`,
  );
  const [found] = await queryRows(
    database,
    ChangedRow,
    `select array_remove(array[${conditions.join(', ')}], null) as changed`,
    [possible.map(({ rows }) => rows)],
  );
  const names = new Set(found?.changed);
  return tables.filter(({ name }) => names.has(name));
}

async function readShape(database: Queryable): Promise<z.infer<typeof ShapeRow>> {
  const [row] = await queryRows(database, ShapeRow, shapeQuery);
  return row ?? { shape: '', written: [] };
}

async function readSequences(database: Queryable): Promise<string> {
  const [row] = await queryRows(database, SequencesRow, sequencesQuery);
  return row?.sequences ?? '[]';
}
