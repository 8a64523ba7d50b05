/** Names a search by what it asks for, so that what was found can be kept. */
import type { Search } from '../criteria/search-request.ts';

/** What the search asks for, without its page and order: equal for searches of the same rows. */
export function searchKey({ list, conditions, keyword }: Search): string {
  // The definition follows from the list and the field's name.
  return JSON.stringify([list.key, keyword, conditions], (name, value: unknown) =>
    name === 'definition' ? undefined : value,
  );
}
