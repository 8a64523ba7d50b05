/** Stores the preferences of each user for each list and for the frame. */
import {
  FramePreference,
  ListPreference,
  type OwnPreferences,
} from '@patch/contract/operations/preference-endpoints.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { query } from '../../platform/database/sql-statement.ts';

/** Module name of the frame. It differs from every list key. */
export const frameModule = 'frame';

const PreferenceRow = z.object({ module: z.string(), value: z.unknown() });

/** Reads the preferences of a user. Ignores values of other versions that this version cannot parse. */
export async function readPreferences(
  database: Queryable,
  userId: number,
): Promise<OwnPreferences> {
  const rows = await query.rows(database, PreferenceRow)`
    select module, value from user_preference where user_id = ${userId} order by module`;
  const frame = FramePreference.safeParse(rows.find(({ module }) => module === frameModule)?.value);
  const preferences = Object.fromEntries(
    rows.flatMap(({ module, value }) => {
      const read = ListPreference.safeParse(value);
      return read.success && module !== frameModule ? [[module, read.data]] : [];
    }),
  );
  return { preferences, frame: frame.success ? frame.data : {} };
}

export const setPreference = (
  database: Queryable,
  userId: number,
  module: string,
  preference: ListPreference | FramePreference,
) => query.run(database)`
  insert into user_preference (user_id, module, value) values (${userId}, ${module}, ${JSON.stringify(preference)})
  on conflict (user_id, module) do update set value = excluded.value`;

export const removePreference = (database: Queryable, userId: number, module: string) =>
  query.run(database)`delete from user_preference where user_id = ${userId} and module = ${module}`;
