/** Checks the rights of the service's role in the database. */
import { z } from 'zod';
import type { Queryable } from './database.ts';
import { queryValues } from './query-rows.ts';

/** Returns the name of the role if it is a superuser, else null. */
export async function superuserName(database: Queryable): Promise<string | null> {
  const [name = null] = await queryValues(
    database,
    z.string(),
    'select rolname from pg_roles where rolname = current_user and rolsuper',
  );
  return name;
}
