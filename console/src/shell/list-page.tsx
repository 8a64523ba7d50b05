/** The one list screen and the one record page, given the list that the address names. */
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import { useRouteContext } from '@tanstack/react-router';
import { RecordPage } from '../detail/record-page.tsx';
import { ListScreen } from '../list/list-screen.tsx';

interface Named {
  readonly list: CatalogueList;
  readonly id: number;
}

const named = (context: unknown): Named => context as Named;

export function ListPage() {
  const { list } = useRouteContext({ strict: false, select: named });
  // A list starts afresh: no scroll, selection or half-typed criterion of the one before.
  return <ListScreen key={list.key} list={list} />;
}

export function OneRecordPage() {
  const { list, id } = useRouteContext({ strict: false, select: named });
  return <RecordPage key={`${list.key} ${id}`} list={list} id={id} />;
}
