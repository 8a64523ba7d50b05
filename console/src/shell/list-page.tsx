/** The list screen for the list in the address. */
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import { useRouteContext } from '@tanstack/react-router';
import { ListScreen } from '../list/list-screen.tsx';

const selectContext = (context: unknown) => context as { readonly list: CatalogueList };

export function ListPage() {
  const { list } = useRouteContext({ strict: false, select: selectContext });
  // The key resets scroll position, selection and unfinished criteria when the list changes.
  return <ListScreen key={list.key} list={list} />;
}
