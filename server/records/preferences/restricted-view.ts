/** Detects saved views that use restricted fields. They are hidden from callers who may not read those. */
import { isRestricted } from '@patch/catalogue/definition/restricted-fields.ts';
import { listSortFields } from '@patch/catalogue/definition/sort-fields.ts';
import type { Endpoint } from '@patch/contract/base/endpoint.ts';
import type { SavedView } from '@patch/contract/records/saved-view-endpoints.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { EndpointRequest } from '../../platform/http/route.ts';
import { findKnownList } from './known-list.ts';
import { readVisibleView } from './saved-view-store.ts';

/** Returns true when the criteria or the order use a restricted field. Columns do not matter, because their values are masked. */
export function usesRestrictedFields({
  list: key,
  search,
}: Pick<SavedView, 'list' | 'search'>): boolean {
  const list = findKnownList(key);
  if (list === null) return false;
  // Checks every word of the text, because criteria of former versions may not be parseable.
  const names = [
    ...(search.sort === null ? [] : listSortFields(list, search.sort)),
    ...(search.criteria.match(/\w+/g) ?? []),
  ];
  return names.some((name) => isRestricted(list, name));
}

/**
 * Reads a view. Hides views that use restricted fields from callers who may not read those, because criteria contain values.
 *
 * @throws AppError `no_such_view`
 */
export async function readExistingView(
  database: Queryable,
  request: Pick<EndpointRequest<Endpoint>, 'user' | 'sight'>,
  id: number,
): Promise<SavedView> {
  const view = await readVisibleView(database, requireUser(request), id);
  if (view === null || (!request.sight.restricted && usesRestrictedFields(view)))
    throw new AppError('no_such_view', 'The view does not exist or is not shared with you.');
  return view;
}
