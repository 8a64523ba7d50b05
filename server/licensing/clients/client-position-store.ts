/** The position of each client in each list. */
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';

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

/** Sets the position, also to a lower revision: a client that begins again has only the rows fetched since. */
export const notePosition = (database: Queryable, { id, list, revision, now }: NotedPosition) =>
  query.run(database)`
    insert into client_position (client_id, list, revision, fetched_time) values (${id}, ${list}, ${revision}, ${now})
    on conflict (client_id, list) do update set revision = excluded.revision, fetched_time = excluded.fetched_time`;

/** Raises the positions of clients whose poll found nothing new. Removed clients are skipped. */
export function raisePositions(database: Queryable, positions: readonly NotedPosition[]) {
  const column = (name: keyof NotedPosition) => arrayText(positions.map((each) => each[name]));
  return query.run(database)`
    insert into client_position as stored (client_id, list, revision, fetched_time)
    select noted.* from unnest(${column('id')}::bigint[], ${column('list')}::text[], ${column('revision')}::bigint[],
        ${column('now')}::bigint[]) as noted (client_id, list, revision, fetched_time)
      join licensed_client on licensed_client.id = noted.client_id
    on conflict (client_id, list) do update set revision = greatest(stored.revision, excluded.revision),
      fetched_time = greatest(stored.fetched_time, excluded.fetched_time)`;
}

export const readPositions = (database: Queryable, clientId: number) =>
  query.rows(database, ClientPosition)`${selectPositions} where client_id = ${clientId}`;

export const readAllPositions = (database: Queryable) =>
  query.rows(database, ClientPosition)`${selectPositions}`;

const selectPositions = sql`
  select client_id as "clientId", list, revision, fetched_time as "fetchedOn" from client_position`;
