/** The one record page, given the list and the record that the address names. */
import type { CatalogueList } from '@patch/catalogue/lists.ts';
import { useRouteContext } from '@tanstack/react-router';
import { RecordPage } from '../detail/record-page.tsx';

const named = (context: unknown) =>
  context as { readonly list: CatalogueList; readonly id: number };

export function OneRecordPage() {
  const { list, id } = useRouteContext({ strict: false, select: named });
  return <RecordPage key={`${list.key} ${id}`} list={list} id={id} />;
}
