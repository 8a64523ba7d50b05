/** Takes a migrated database back to the state after its migrations, in a fraction of the time that running them again takes. */
import { z } from 'zod';
import type { Database, Queryable } from '../platform/database/database.ts';
import { queryRows } from '../platform/database/query-rows.ts';

/** What the migrations made: the tables by a checksum, the rows that they wrote, and how far sequences are. */
export interface MigratedState {
  readonly shape: string;
  readonly tables: readonly MigratedTable[];
  readonly sequences: string;
}

interface MigratedTable {
  readonly name: string;
  /** Tables whose rows refer to this one's. */
  readonly referring: readonly string[];
  /** Those that are written: not the generated ones. */
  readonly columns: readonly string[];
  /** As JSON; null when there are none. */
  readonly rows: string | null;
}

/** Changes with every table, column, index, constraint, trigger and function of the schema, and with no row. */
const shapeQuery = `
  with ours as (select oid, relname, relkind, reloptions from pg_class where relnamespace = 'public'::regnamespace)
  select md5(string_agg(line, ',' order by line)) as shape from (
    select concat_ws(' ', 'relation', oid, relname, relkind, reloptions) as line from ours
    union all
    select concat_ws(' ', 'column', attrelid, attnum, attname, atttypid, attnotnull, atthasdef, attoptions)
      from pg_attribute where attrelid in (select oid from ours)
    union all
    select concat_ws(' ', 'constraint', oid, xmin) from pg_constraint where connamespace = 'public'::regnamespace
    union all
    select concat_ws(' ', 'trigger', oid, xmin, tgenabled) from pg_trigger where tgrelid in (select oid from ours)
    union all
    select concat_ws(' ', 'function', oid, xmin) from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select concat_ws(' ', 'schema', nspname) from pg_namespace
  ) as lines`;

const tablesQuery = `
  select c.relname as name,
    array(select a.attname::text from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
    array(select distinct r.relname::text from pg_constraint f join pg_class r on r.oid = f.conrelid
      where f.confrelid = c.oid and f.contype = 'f' and f.conrelid <> c.oid) as referring
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`;

const sequencesQuery = `
  select coalesce(json_agg(json_build_array(sequencename, coalesce(last_value, start_value), last_value is not null)
    order by sequencename), '[]')::text as sequences
  from pg_sequences where schemaname = 'public'`;

const ShapeRow = z.object({ shape: z.string() });
const TableRow = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  referring: z.array(z.string()),
});
const SequencesRow = z.object({ sequences: z.string() });
const RowsRow = z.object({ rows: z.string().nullable() });
const ChangedRow = z.object({ changed: z.array(z.string()) });

const quoted = (name: string) => `"${name}"`;
const rowsOf = (table: string) =>
  `(select json_agg(t order by t::text)::text from ${quoted(table)} t)`;

/** To be asked for right after the migrations. */
export async function migratedState(database: Database): Promise<MigratedState> {
  const tables: MigratedTable[] = [];
  for (const table of await queryRows(database, TableRow, tablesQuery)) {
    const [found] = await queryRows(database, RowsRow, `select ${rowsOf(table.name)} as rows`);
    tables.push({ ...table, rows: found?.rows ?? null });
  }
  return { shape: await shapeOf(database), tables, sequences: await sequencesOf(database) };
}

/** False, and nothing is changed, when the tables are no longer those of the state. */
export async function emptyAgain(database: Database, state: MigratedState): Promise<boolean> {
  if ((await shapeOf(database)) !== state.shape) return false;
  const changed = await changedTables(database, state.tables);
  const sequences = await sequencesOf(database);
  if (changed.length === 0 && sequences === state.sequences) return true;
  await database.transaction(async (tx) => {
    // Rows come back as they were: no trigger counts or refuses them.
    await tx.query("set local session_replication_role = 'replica'");
    if (changed.length > 0)
      await tx.query(`truncate ${changed.map(({ name }) => quoted(name)).join(', ')}`);
    for (const { name, columns, rows } of changed) {
      if (rows === null) continue;
      const list = columns.map(quoted).join(', ');
      await tx.query(
        `insert into ${quoted(name)} (${list}) overriding system value
         select ${list} from json_populate_recordset(null::${quoted(name)}, $1::text::json)`,
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

/** Those with other rows than the migrations wrote, and those that refer to them: a table is only truncated together with these. */
async function changedTables(
  database: Database,
  tables: readonly MigratedTable[],
): Promise<readonly MigratedTable[]> {
  const conditions = tables.map(({ name, rows }, place) =>
    rows === null
      ? `case when exists (select from ${quoted(name)}) then '${name}' end`
      : `case when ${rowsOf(name)} is distinct from ($1::text[])[${place + 1}] then '${name}' end`,
  );
  const [found] = await queryRows(
    database,
    ChangedRow,
    `select array_remove(array[${conditions.join(', ')}], null) as changed`,
    [tables.map(({ rows }) => rows)],
  );
  const names = new Set(found?.changed);
  for (const name of names) {
    for (const referring of tables.find((table) => table.name === name)?.referring ?? [])
      names.add(referring);
  }
  return tables.filter(({ name }) => names.has(name));
}

async function shapeOf(database: Queryable): Promise<string> {
  const [row] = await queryRows(database, ShapeRow, shapeQuery);
  return row?.shape ?? '';
}

async function sequencesOf(database: Queryable): Promise<string> {
  const [row] = await queryRows(database, SequencesRow, sequencesQuery);
  return row?.sequences ?? '[]';
}
