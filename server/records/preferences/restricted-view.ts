/** Detects saved views that use restricted fields. They are hidden from callers who may not read those. */
import { isRestricted } from '@patch/catalogue/definition/restricted-fields.ts';
import { listSortFields } from '@patch/catalogue/definition/sort-fields.ts';
import type { SavedView } from '@patch/contract/saved-view-endpoints.ts';
import { findKnownList } from './known-list.ts';

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
