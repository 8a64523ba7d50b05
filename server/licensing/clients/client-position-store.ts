/** The position of each client in each list. */
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

export const ClientPosition = z.object({
  clientId: z.number(),
  list: z.string(),
  /** The client has all rows of this revision and before; -1: none. */
  revision: z.number(),
  /** The time of the client's last request. */
  fetchedOn: z.number(),
});
export type ClientPosition = z.infer<typeof ClientPosition>;

export interface NotedPosition {
  readonly id: number;
  readonly list: string;
  readonly revision: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Sets the position, also to a lower revision: a client that begins again has only the rows fetched
 * since.
 */
export async function notePosition(
  database: Queryable,
  { id, list, revision, now }: NotedPosition,
): Promise<void> {
  await database.query(
    `insert into client_position (client_id, list, revision, fetched_time) values ($1, $2, $3, $4)
     on conflict (client_id, list) do update set revision = excluded.revision, fetched_time = excluded.fetched_time`,
    [id, list, revision, now],
  );
}

/** Raises the positions of clients whose poll found nothing new. Removed clients are skipped. */
export async function raisePositions(
  database: Queryable,
  positions: readonly NotedPosition[],
): Promise<void> {
  await database.query(
    `insert into client_position as stored (client_id, list, revision, fetched_time)
     select noted.* from unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[]) as noted (client_id, list, revision, fetched_time)
       join licensed_client on licensed_client.id = noted.client_id
     on conflict (client_id, list) do update set revision = greatest(stored.revision, excluded.revision),
       fetched_time = greatest(stored.fetched_time, excluded.fetched_time)`,
    [
      arrayText(positions.map(({ id }) => id)),
      arrayText(positions.map(({ list }) => list)),
      arrayText(positions.map(({ revision }) => revision)),
      arrayText(positions.map(({ now }) => now)),
    ],
  );
}

export async function readPositions(
  database: Queryable,
  clientId: number,
): Promise<readonly ClientPosition[]> {
  const rows = await queryRows(database, ClientPosition, `${positions} where client_id = $1`, [
    clientId,
  ]);
  return rows;
}

export async function readAllPositions(database: Queryable): Promise<readonly ClientPosition[]> {
  const rows = await queryRows(database, ClientPosition, positions);
  return rows;
}

const positions =
  'select client_id as "clientId", list, revision, fetched_time as "fetchedOn" from client_position';
