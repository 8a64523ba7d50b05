/** Reads the facts about the database for a support bundle: sizes, contents and settings. */
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

const DatabaseFactsRow = z.object({ version: z.string(), bytes: z.number() });

export async function readDatabaseFacts(database: Queryable): Promise<object> {
  const versions = await queryRows(
    database,
    DatabaseFactsRow,
    'select version() as version, pg_database_size(current_database()) as bytes',
  );
  const { rows: tables } = await database.query(
    `select c.relname as table, pg_total_relation_size(c.oid) as bytes, pg_indexes_size(c.oid) as "indexBytes", c.reltuples::bigint as "rowsGuessed"
     from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'public' and c.relkind = 'r' order by 2 desc, 1`,
  );
  const { rows: lists } = await database.query(
    'select list, listed, revision from list_revision order by list',
  );
  const { rows: migrations } = await database.query(
    'select name, applied_time as "appliedAt" from migration order by name',
  );
  return { ...versions[0], lists, tables, migrations };
}

const SettingRow = z.object({ name: z.string(), value: z.unknown() });

export async function readStoredSettings(
  database: Queryable,
): Promise<ReadonlyMap<string, unknown>> {
  const rows = await queryRows(
    database,
    SettingRow,
    'select name, value from settings order by name',
  );
  return new Map(rows.map(({ name, value }) => [name, value]));
}
