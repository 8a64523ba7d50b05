/** Reads stored events in tests. */
import type { Queryable } from '../platform/database/database.ts';

/** Returns type, title and items of every event, in the order of ids. */
export async function storedEvents(database: Queryable): Promise<readonly unknown[][]> {
  const { rows } = await database.query('select type, title, items from event order by id');
  return rows.map(({ type, title, items }) => [
    type,
    title,
    (items as readonly { readonly name: string; readonly about: string }[]).map(
      ({ name, about }) => `${name}: ${about}`,
    ),
  ]);
}
