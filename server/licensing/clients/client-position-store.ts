/** The position of each client in each list. */
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';

/** The ring of which a client has heard, and up to which revisions: see change-cursor.ts. */
const HeardPasses = z.object({
  ring: z.number(),
  decisions: z.number(),
  list: z.number(),
  risk: z.number(),
  /** Whether the client may lack records of any revision, which the ring declined. */
  lacks: z.boolean(),
});
export type HeardPasses = Readonly<z.infer<typeof HeardPasses>>;

export const ClientPosition = z.object({
  clientId: z.number(),
  list: z.string(),
  /** The client has all rows of this revision and before; -1: none. */
  revision: z.number(),
  /** The time of the client's last request. */
  fetchedOn: z.number(),
  /** Null: the client has heard of no ring's decisions. */
  passes: HeardPasses.nullable(),
});
export type ClientPosition = z.infer<typeof ClientPosition>;

export interface NotedPosition {
  readonly id: number;
  readonly list: string;
  readonly revision: number;
  /** Absent for a client that is in no ring, or whose ring has no decisions. */
  readonly passes?: HeardPasses | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Sets the position, also to a lower revision: a client that begins again has only the rows fetched since. */
export const notePosition = (
  database: Queryable,
  { id, list, revision, passes, now }: NotedPosition,
) =>
  query.run(database)`
    insert into client_position (client_id, list, revision, passes, fetched_time)
    values (${id}, ${list}, ${revision}, ${jsonOrNull(passes)}::jsonb, ${now})
    on conflict (client_id, list) do update set revision = excluded.revision, passes = excluded.passes, fetched_time = excluded.fetched_time`;

const jsonOrNull = (passes: HeardPasses | undefined) =>
  passes === undefined ? null : JSON.stringify(passes);

/** Raises the positions of clients whose poll found nothing new, unless another process has noted a later call. Removed clients are skipped. */
export function raisePositions(database: Queryable, positions: readonly NotedPosition[]) {
  const column = (name: Exclude<keyof NotedPosition, 'passes'>) =>
    arrayText(positions.map((each) => each[name]));
  const passes = arrayText(positions.map((each) => jsonOrNull(each.passes)));
  return query.run(database)`
    insert into client_position as stored (client_id, list, revision, fetched_time, passes)
    select noted.* from unnest(${column('id')}::bigint[], ${column('list')}::text[], ${column('revision')}::bigint[],
        ${column('now')}::bigint[], ${passes}::jsonb[]) as noted (client_id, list, revision, fetched_time, passes)
      join licensed_client on licensed_client.id = noted.client_id
    on conflict (client_id, list) do update set revision = greatest(stored.revision, excluded.revision),
      fetched_time = excluded.fetched_time, passes = excluded.passes
    where stored.fetched_time <= excluded.fetched_time`;
}

export const readPositions = (database: Queryable, clientId: number) =>
  query.rows(database, ClientPosition)`${selectPositions} where client_id = ${clientId}`;

export const readAllPositions = (database: Queryable) =>
  query.rows(database, ClientPosition)`${selectPositions}`;

const selectPositions = sql`
  select client_id as "clientId", list, revision, fetched_time as "fetchedOn", passes from client_position`;
