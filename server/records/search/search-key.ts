/** Cache keys of searches. */
import type { Search } from '../criteria/search-request.ts';

/** Returns the same key for searches that match the same rows. Ignores page and order. */
export function getSearchKey({ list, conditions, keyword }: Search): string {
  // Omits the definition, which follows from the list and the name of the field.
  return JSON.stringify([list.key, keyword, conditions], (name, value: unknown) =>
    name === 'definition' ? undefined : value,
  );
}
