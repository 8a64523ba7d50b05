/** Returns the path of a list, or undefined for a list that this console does not know. */
import { catalogueLists } from '@patch/catalogue/lists.ts';

export function findListRoute(key: string): string | undefined {
  return catalogueLists.find((list) => list.key === key)?.route;
}
