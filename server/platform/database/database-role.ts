/** What the role that the service signs in with may do in the database. */
import type { Queryable } from './database.ts';
import { NameRow } from './plain-rows.ts';
import { queryRows } from './query-rows.ts';

/** Its name when it is a superuser, else null. */
export async function superuserName(database: Queryable): Promise<string | null> {
  const rows = await queryRows(
    database,
    NameRow,
    'select rolname as name from pg_roles where rolname = current_user and rolsuper',
  );
  return rows[0]?.name ?? null;
}
