/** Stores the addresses of Atom feeds by the hash of their tokens. */
import type { VendorSourceKey } from '@patch/catalogue/sources.ts';
import { AtomFeed } from '@patch/contract/atom-feed-endpoints.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { IdRow, openWord, TotalRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { StoredSearch } from '../../records/preferences/saved-view-store.ts';

/** A feed may be of a source of another version. */
const Source = openWord<VendorSourceKey>().nullable();
const AtomFeedRow = AtomFeed.extend({ source: Source });

const selectFeeds = `select feed.id, feed.source, owner.id as "ownerId", owner.name as "ownerName", feed.created_time as "createdAt",
  feed.last_read_time as "lastReadAt",
  case when view.id is not null then jsonb_build_object('id', view.id, 'name', view.name, 'list', view.list) end as view
  from atom_feed as feed join users as owner on owner.id = feed.user_id left join saved_view as view on view.id = feed.view_id`;

/** Reads the feeds of a user, or of all users with null; newest first. */
export async function readAtomFeeds(
  database: Queryable,
  userId: number | null,
): Promise<readonly AtomFeed[]> {
  return queryRows(
    database,
    AtomFeedRow,
    `${selectFeeds} where ($1::bigint is null or owner.id = $1) order by feed.created_time desc, feed.id desc`,
    [userId],
  );
}

export async function readAtomFeed(database: Queryable, id: number): Promise<AtomFeed | null> {
  const text = `${selectFeeds} where feed.id = $1`;
  return (await queryRows(database, AtomFeedRow, text, [id]))[0] ?? null;
}

export async function countAtomFeeds(database: Queryable, userId: number): Promise<number> {
  const text = 'select count(*) as total from atom_feed where user_id = $1';
  return (await queryRows(database, TotalRow, text, [userId]))[0]?.total ?? 0;
}

export interface NewAtomFeed {
  readonly tokenHash: string;
  readonly userId: number;
  readonly viewId: number | null;
  readonly source: VendorSourceKey | null;
}

/** Returns the id. */
export async function addAtomFeed(
  tx: Queryable,
  { tokenHash, userId, viewId, source }: NewAtomFeed,
  now: number,
): Promise<number> {
  const rows = await queryRows(
    tx,
    IdRow,
    'insert into atom_feed (token_hash, user_id, view_id, source, created_time) values ($1, $2, $3, $4, $5) returning id',
    [tokenHash, userId, viewId, source, now],
  );
  const [added] = rows;
  if (added === undefined) throw new Error('The database added a feed without returning its id');
  return added.id;
}

export async function removeAtomFeed(database: Queryable, id: number): Promise<void> {
  await database.query('delete from atom_feed where id = $1', [id]);
}

const ReadableFeed = z.object({
  id: z.number(),
  createdTime: z.number(),
  lastReadTime: z.number().nullable(),
  source: Source,
  view: z
    .object({ id: z.number(), name: z.string(), list: z.string(), updatedTime: z.number() })
    .nullable(),
  search: StoredSearch.nullable(),
  owner: z.object({ id: z.number(), timezone: z.string().nullable() }),
});
export type ReadableFeed = z.infer<typeof ReadableFeed>;

/** Returns null for an unknown token, and while the owner may not see the view or must change the password. */
export async function findReadableFeed(
  database: Queryable,
  tokenHash: string,
): Promise<ReadableFeed | null> {
  const rows = await queryRows(
    database,
    ReadableFeed,
    `select feed.id, feed.created_time as "createdTime", feed.last_read_time as "lastReadTime", feed.source, view.search,
       case when view.id is not null
         then jsonb_build_object('id', view.id, 'name', view.name, 'list', view.list, 'updatedTime', view.updated_time) end as view,
       jsonb_build_object('id', owner.id, 'timezone', owner.timezone) as owner
     from atom_feed as feed join users as owner on owner.id = feed.user_id left join saved_view as view on view.id = feed.view_id
     where feed.token_hash = $1 and (view.id is null or view.owner_id = owner.id or view.shared) and not owner.must_change_password`,
    [tokenHash],
  );
  return rows[0] ?? null;
}

export async function noteAtomRead(database: Queryable, id: number, now: number): Promise<void> {
  await database.query('update atom_feed set last_read_time = $2 where id = $1', [id, now]);
}
