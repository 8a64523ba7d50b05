/** The record page for the list and record in the address. */
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import { useRouteContext } from '@tanstack/react-router';
import { RecordPage } from '../detail/record-page.tsx';

const selectContext = (context: unknown) =>
  context as { readonly list: CatalogueList; readonly id: number };

export function OneRecordPage() {
  const { list, id } = useRouteContext({ strict: false, select: selectContext });
  return <RecordPage key={`${list.key} ${id}`} list={list} id={id} />;
}
