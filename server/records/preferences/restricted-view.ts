/** Whether a saved view asks for restricted fields: it is hidden from those who may not ask so themselves. */
import { isRestricted } from '@patch/catalogue/definition/restricted-fields.ts';
import type { SavedView } from '@patch/contract/saved-view-endpoints.ts';
import { knownListOf } from './known-list.ts';

/** By criterion or order; a column is shown masked and tells nothing. */
export function asksRestricted({ list: key, search }: Pick<SavedView, 'list' | 'search'>): boolean {
  const list = knownListOf(key);
  if (list === null) return false;
  // The text names each field it asks, also where a criterion cannot be read any more.
  const named = [search.sort?.replace(/^-/, '') ?? '', ...(search.criteria.match(/\w+/g) ?? [])];
  return named.some((name) => isRestricted(list, name));
}
