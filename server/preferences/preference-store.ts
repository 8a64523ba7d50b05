/** What each person prefers of each list. */
import { ListPreference } from '@patch/contract/preference-calls.ts';
import type { Queryable } from '../database/database.ts';

/** By the key of the list. What an older version wrote and this one cannot read counts as never set. */
export async function preferencesOf(database: Queryable, userId: number): Promise<Record<string, ListPreference>> {
  const { rows } = await database.query<{ module: string; value: unknown }>(
    'select module, value from user_preference where user_id = $1 order by module',
    [userId],
  );
  return Object.fromEntries(
    rows.flatMap(({ module, value }) => {
      const read = ListPreference.safeParse(value);
      return read.success ? [[module, read.data]] : [];
    }),
  );
}

export async function setPreference(database: Queryable, userId: number, module: string, preference: ListPreference): Promise<void> {
  await database.query(
    `insert into user_preference (user_id, module, value) values ($1, $2, $3::jsonb)
     on conflict (user_id, module) do update set value = excluded.value`,
    [userId, module, JSON.stringify(preference)],
  );
}

export async function removePreference(database: Queryable, userId: number, module: string): Promise<void> {
  await database.query('delete from user_preference where user_id = $1 and module = $2', [userId, module]);
}
