/** What each person prefers of each list, and of the frame around them. */
import {
  FramePreference,
  ListPreference,
  type OwnPreferences,
} from '@patch/contract/preference-endpoints.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

/** Beside the keys of the lists; no list has it. */
export const frameModule = 'frame';

const PreferenceRow = z.object({ module: z.string(), value: z.unknown() });

/** What an older version wrote and this one cannot read counts as never set. */
export async function preferencesOf(database: Queryable, userId: number): Promise<OwnPreferences> {
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
