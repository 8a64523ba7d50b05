/** Stores the addresses of Atom feeds by the hash of their tokens. */
import type { VendorSourceKey } from '@patch/catalogue/sources.ts';
import { AtomFeed } from '@patch/contract/reports/atom-feed-endpoints.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { openWord } from '../../platform/database/plain-rows.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';
import { StoredSearch } from '../../records/preferences/saved-view-store.ts';

/** A feed may be of a source of another version. */
const Source = openWord<VendorSourceKey>().nullable();
const AtomFeedRow = AtomFeed.extend({ source: Source });

const selectFeeds = sql`select feed.id, feed.source, owner.id as "ownerId", owner.name as "ownerName", feed.created_time as "createdAt",
  feed.last_read_time as "lastReadAt",
  case when view.id is not null then jsonb_build_object('id', view.id, 'name', view.name, 'list', view.list) end as view
  from atom_feed as feed join users as owner on owner.id = feed.user_id left join saved_view as view on view.id = feed.view_id`;

/** Reads the feeds of a user, or of all users with null; newest first. */
export const readAtomFeeds = (database: Queryable, userId: number | null) =>
  query.rows(database, AtomFeedRow)`
    ${selectFeeds} where (${userId}::bigint is null or owner.id = ${userId}) order by feed.created_time desc, feed.id desc`;

export const readAtomFeed = (database: Queryable, id: number) =>
  query.row(database, AtomFeedRow)`${selectFeeds} where feed.id = ${id}`;

export const countAtomFeeds = (database: Queryable, userId: number) =>
  query.requiredValue(
    database,
    z.number(),
  )`select count(*) from atom_feed where user_id = ${userId}`;

export interface NewAtomFeed {
  readonly tokenHash: string;
  readonly userId: number;
  readonly viewId: number | null;
  readonly source: VendorSourceKey | null;
}

/** Returns the id. */
export const addAtomFeed = (tx: Queryable, feed: NewAtomFeed, createdTime: number) =>
  query.requiredValue(tx, z.number())`
    insert into atom_feed ${sql.values({ ...feed, createdTime })} returning id`;

export const removeAtomFeed = (database: Queryable, id: number) =>
  query.run(database)`delete from atom_feed where id = ${id}`;

const ReadableFeed = z.object({
  id: z.number(),
  createdTime: z.number(),
  lastReadTime: z.number().nullable(),
  source: Source,
  view: z
    .object({ id: z.number(), name: z.string(), list: z.string(), updatedTime: z.number() })
    .nullable(),
  search: StoredSearch.nullable(),
  owner: z.object({
    id: z.number(),
    timezone: z.string().nullable(),
  }),
});
export type ReadableFeed = z.infer<typeof ReadableFeed>;

/** Returns null for an unknown token, and while the view is not shared with the owner. */
export const findReadableFeed = (database: Queryable, tokenHash: string) =>
  query.row(database, ReadableFeed)`
    select feed.id, feed.created_time as "createdTime", feed.last_read_time as "lastReadTime", feed.source, view.search,
      case when view.id is not null
        then jsonb_build_object('id', view.id, 'name', view.name, 'list', view.list, 'updatedTime', view.updated_time) end as view,
      jsonb_build_object('id', owner.id, 'timezone', owner.timezone) as owner
    from atom_feed as feed join users as owner on owner.id = feed.user_id left join saved_view as view on view.id = feed.view_id
    where feed.token_hash = ${tokenHash} and (view.id is null or view.owner_id = owner.id or view.shared)`;

export const noteAtomRead = (database: Queryable, id: number, now: number) =>
  query.run(database)`update atom_feed set last_read_time = ${now} where id = ${id}`;
