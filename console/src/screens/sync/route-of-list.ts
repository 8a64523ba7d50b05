/** Where a list of that key is shown; undefined for a key this console does not know. */
import { catalogueLists } from '@patch/catalogue/lists.ts';

export function routeOfList(key: string): string | undefined {
  return catalogueLists.find((list) => list.key === key)?.route;
}
