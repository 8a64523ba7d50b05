/** Stores the preferences of each user for each list and for the frame. */
import {
  FramePreference,
  ListPreference,
  type OwnPreferences,
} from '@patch/contract/preference-endpoints.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

/** Module name of the frame. It differs from every list key. */
export const frameModule = 'frame';

const PreferenceRow = z.object({ module: z.string(), value: z.unknown() });

/** Reads the preferences of a user. Ignores values of other versions that this version cannot parse. */
export async function readPreferences(
  database: Queryable,
  userId: number,
): Promise<OwnPreferences> {
  const rows = await queryRows(
    database,
    PreferenceRow,
    'select module, value from user_preference where user_id = $1 order by module',
    [userId],
  );
  const frame = FramePreference.safeParse(rows.find(({ module }) => module === frameModule)?.value);
  const preferences = Object.fromEntries(
    rows.flatMap(({ module, value }) => {
      const read = ListPreference.safeParse(value);
      return read.success && module !== frameModule ? [[module, read.data]] : [];
    }),
  );
  return { preferences, frame: frame.success ? frame.data : {} };
}

export async function setPreference(
  database: Queryable,
  userId: number,
  module: string,
  preference: ListPreference | FramePreference,
): Promise<void> {
  await database.query(
    `insert into user_preference (user_id, module, value) values ($1, $2, $3::jsonb)
     on conflict (user_id, module) do update set value = excluded.value`,
    [userId, module, JSON.stringify(preference)],
  );
}

export async function removePreference(
  database: Queryable,
  userId: number,
  module: string,
): Promise<void> {
  await database.query('delete from user_preference where user_id = $1 and module = $2', [
    userId,
    module,
  ]);
}
