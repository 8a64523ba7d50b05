/** The one list screen, given the list that the address names. */
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import { useRouteContext } from '@tanstack/react-router';
import { ListScreen } from '../list/list-screen.tsx';

const named = (context: unknown) => context as { readonly list: CatalogueList };

export function ListPage() {
  const { list } = useRouteContext({ strict: false, select: named });
  // A list starts afresh: no scroll, selection or half-typed criterion of the one before.
  return <ListScreen key={list.key} list={list} />;
}
