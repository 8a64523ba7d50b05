/** Checks the rights of the service's role in the database. */
import type { Queryable } from './database.ts';
import { NameRow } from './plain-rows.ts';
import { queryRows } from './query-rows.ts';

/** Returns the name of the role if it is a superuser, else null. */
export async function superuserName(database: Queryable): Promise<string | null> {
  const rows = await queryRows(
    database,
    NameRow,
    'select rolname as name from pg_roles where rolname = current_user and rolsuper',
  );
  return rows[0]?.name ?? null;
}
