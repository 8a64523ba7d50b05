/** Stores users' pictures. */
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

/** Replaces the user's picture. Returns false when the user does not exist. */
export async function writeAvatar(
  database: Queryable,
  userId: number,
  fileName: string,
  image: Uint8Array,
): Promise<boolean> {
  const { count } = await database.query(
    `insert into avatar (user_id, file_name, image) select id, $2::text, $3::bytea from users where id = $1::bigint
     on conflict (user_id) do update set file_name = excluded.file_name, image = excluded.image`,
    [userId, fileName, image],
  );
  return count === 1;
}

export async function removeAvatar(database: Queryable, userId: number): Promise<void> {
  await database.query('delete from avatar where user_id = $1', [userId]);
}

const ImageRow = z.object({ image: z.instanceof(Uint8Array) });

export async function readAvatar(
  database: Queryable,
  fileName: string,
): Promise<Uint8Array | null> {
  const rows = await queryRows(
    database,
    ImageRow,
    'select image from avatar where file_name = $1',
    [fileName],
  );
  return rows[0]?.image ?? null;
}
