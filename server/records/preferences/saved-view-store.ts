/** Stores saved views. A user sees their own views and the shared views of others. */
import { fold } from '@patch/catalogue/definition/fold.ts';
import type { SignedInUser } from '@patch/contract/accounts/sign-in-endpoints.ts';
import { SavedView, type ViewSearch } from '@patch/contract/records/saved-view-endpoints.ts';
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';

/** A stored search without limits, because an earlier version may have had others when it was saved. */
export const StoredSearch = z.object({
  criteria: z.string(),
  keyword: z.string(),
  sort: z.string().nullable(),
  columns: z.array(z.string()).nullable(),
});
const SavedViewRow = SavedView.extend({ search: StoredSearch });

export type Viewer = Pick<SignedInUser, 'id' | 'userType'>;

export interface NewView {
  readonly list: string;
  readonly name: string;
  readonly shared: boolean;
  readonly search: ViewSearch;
}

/** Selects the views that the viewer can see. An administrator may change and remove shared views of others. */
const selectViews = ({ id, userType }: Viewer) => sql`
  select view.id, view.list, view.name, view.shared, owner.name as "ownerName", view.search, view.updated_time as "updatedAt",
    (view.owner_id = ${id} or ${userType === 'Admin'}::boolean) as "mayChange", (preferred.view_id is not null) as "isDefault"
  from saved_view as view join users as owner on owner.id = view.owner_id
  left join default_view as preferred on preferred.view_id = view.id and preferred.user_id = ${id}
  where (view.owner_id = ${id} or view.shared)`;

/** Reads the visible views of one list, or of all lists when `list` is null, ordered by name. */
export const readVisibleViews = (database: Queryable, viewer: Viewer, list: string | null) =>
  query.rows(database, SavedViewRow)`
    ${selectViews(viewer)} and (${list}::text is null or view.list = ${list}) order by view.list, view.name_folded, view.id`;

/** Returns null when the view does not exist or is not visible to the viewer. */
export const readVisibleView = (database: Queryable, viewer: Viewer, id: number) =>
  query.row(database, SavedViewRow)`${selectViews(viewer)} and view.id = ${id}`;

export const countViews = (database: Queryable, ownerId: number) =>
  query.requiredValue(
    database,
    z.number(),
  )`select count(*) from saved_view where owner_id = ${ownerId}`;

/** Returns the id of the new view, or null when the owner has a view with that name in the list. */
export function addView(
  database: Queryable,
  ownerId: number,
  { list, name, shared, search }: NewView,
  updatedTime: number,
): Promise<number | null> {
  const names = { list, ownerId, name, nameFolded: fold(name) };
  return query.value(database, z.number())`
    insert into saved_view ${sql.values({ ...names, shared, search: JSON.stringify(search), updatedTime })}
    on conflict (owner_id, list, name_folded) do nothing returning id`;
}

/** Returns false when the owner has another view with that name in the list. */
export const changeView = (
  database: Queryable,
  id: number,
  { name, shared, search }: Omit<NewView, 'list'>,
  now: number,
) => query.runOne(database)`
  update saved_view as view set name = ${name}, name_folded = ${fold(name)}, shared = ${shared},
    search = ${JSON.stringify(search)}, updated_time = ${now}
  where id = ${id} and not exists (select 1 from saved_view as other
    where other.owner_id = view.owner_id and other.list = view.list and other.name_folded = ${fold(name)} and other.id <> view.id)`;

export const removeView = (database: Queryable, id: number) =>
  query.run(database)`delete from saved_view where id = ${id}`;

/** Makes a view the default of a user. Replaces the previous default. */
export const setDefault = (database: Queryable, userId: number, list: string, viewId: number) =>
  query.run(database)`
    insert into default_view (user_id, list, view_id) values (${userId}, ${list}, ${viewId})
    on conflict (user_id, list) do update set view_id = excluded.view_id`;

export const removeDefault = (database: Queryable, userId: number, viewId: number) =>
  query.run(database)`delete from default_view where user_id = ${userId} and view_id = ${viewId}`;

/** Ends the use of a view by users other than its owner: as their default, and in their Atom feeds. */
export async function removeUsesOfOthers(database: Queryable, viewId: number): Promise<void> {
  await query.run(database)`
    delete from atom_feed using saved_view as view
    where view.id = atom_feed.view_id and view.id = ${viewId} and atom_feed.user_id <> view.owner_id`;
  await query.run(database)`
    delete from default_view using saved_view as view
    where view.id = default_view.view_id and view.id = ${viewId} and default_view.user_id <> view.owner_id`;
}
