/** Stores saved views. A user sees their own views and the shared views of others. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import { SavedView, type ViewSearch } from '@patch/contract/saved-view-endpoints.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { IdRow, TotalRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

/** A stored search without limits, because an earlier version may have had others when it was saved. */
export const StoredSearch = z.object({
  criteria: z.string(),
  keyword: z.string(),
  sort: z.string().nullable(),
  columns: z.array(z.string()).nullable(),
});
const SavedViewRow = SavedView.extend({ search: StoredSearch });

export interface Viewer {
  readonly id: number;
  /** An administrator may change and remove shared views of others. */
  readonly isAdmin: boolean;
}

export interface NewView {
  readonly list: string;
  readonly name: string;
  readonly shared: boolean;
  readonly search: ViewSearch;
}

const columnsSql = `view.id, view.list, view.name, view.shared, owner.name as "ownerName", view.search, view.updated_time as "updatedAt",
  (view.owner_id = $1 or $2::boolean) as "mayChange", (preferred.view_id is not null) as "isDefault"`;
const visibleViewsSql = `saved_view as view join users as owner on owner.id = view.owner_id
  left join default_view as preferred on preferred.view_id = view.id and preferred.user_id = $1
  where (view.owner_id = $1 or view.shared)`;

/** Reads the visible views of one list, or of all lists when `list` is null, ordered by name. */
export async function readVisibleViews(
  database: Queryable,
  viewer: Viewer,
  list: string | null,
): Promise<readonly SavedView[]> {
  const rows = await queryRows(
    database,
    SavedViewRow,
    `select ${columnsSql} from ${visibleViewsSql} and ($3::text is null or view.list = $3) order by view.list, view.name_folded, view.id`,
    [viewer.id, viewer.isAdmin, list],
  );
  return rows;
}

/** Returns null when the view does not exist or is not visible to the viewer. */
export async function readVisibleView(
  database: Queryable,
  viewer: Viewer,
  id: number,
): Promise<SavedView | null> {
  const rows = await queryRows(
    database,
    SavedViewRow,
    `select ${columnsSql} from ${visibleViewsSql} and view.id = $3`,
    [viewer.id, viewer.isAdmin, id],
  );
  return rows[0] ?? null;
}

export async function countViews(database: Queryable, ownerId: number): Promise<number> {
  const rows = await queryRows(
    database,
    TotalRow,
    'select count(*) as total from saved_view where owner_id = $1',
    [ownerId],
  );
  return rows[0]?.total ?? 0;
}

/** Returns the id of the new view, or null when the owner has a view with that name in the list. */
export async function addView(
  database: Queryable,
  ownerId: number,
  view: NewView,
  now: number,
): Promise<number | null> {
  const rows = await queryRows(
    database,
    IdRow,
    `insert into saved_view (list, owner_id, name, name_folded, shared, search, updated_time) values ($1, $2, $3, $4, $5, $6::jsonb, $7)
     on conflict (owner_id, list, name_folded) do nothing returning id`,
    [view.list, ownerId, view.name, fold(view.name), view.shared, JSON.stringify(view.search), now],
  );
  return rows[0]?.id ?? null;
}

/** Returns false when the owner has another view with that name in the list. */
export async function changeView(
  database: Queryable,
  id: number,
  view: Omit<NewView, 'list'>,
  now: number,
): Promise<boolean> {
  const { count } = await database.query(
    `update saved_view as view set name = $2, name_folded = $3, shared = $4, search = $5::jsonb, updated_time = $6
     where id = $1 and not exists (select 1 from saved_view as other
       where other.owner_id = view.owner_id and other.list = view.list and other.name_folded = $3 and other.id <> view.id)`,
    [id, view.name, fold(view.name), view.shared, JSON.stringify(view.search), now],
  );
  return count === 1;
}

export async function removeView(database: Queryable, id: number): Promise<void> {
  await database.query('delete from saved_view where id = $1', [id]);
}

/** Makes a view the default of a user. Replaces the previous default. */
export async function setDefault(
  database: Queryable,
  userId: number,
  list: string,
  viewId: number,
): Promise<void> {
  await database.query(
    `insert into default_view (user_id, list, view_id) values ($1, $2, $3)
     on conflict (user_id, list) do update set view_id = excluded.view_id`,
    [userId, list, viewId],
  );
}

export async function removeDefault(
  database: Queryable,
  userId: number,
  viewId: number,
): Promise<void> {
  await database.query('delete from default_view where user_id = $1 and view_id = $2', [
    userId,
    viewId,
  ]);
}

/** Ends the use of a view by users other than its owner: as their default, and in their Atom feeds. */
export async function removeUsesOfOthers(database: Queryable, viewId: number): Promise<void> {
  await database.query(
    `delete from atom_feed using saved_view as view
     where view.id = atom_feed.view_id and view.id = $1 and atom_feed.user_id <> view.owner_id`,
    [viewId],
  );
  await database.query(
    `delete from default_view using saved_view as view
     where view.id = default_view.view_id and view.id = $1 and default_view.user_id <> view.owner_id`,
    [viewId],
  );
}
