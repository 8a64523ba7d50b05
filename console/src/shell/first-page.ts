/** Requests the data of the first list or record when the console opens, before the page is drawn, so that the requests run in parallel. */
import { type CatalogueList, catalogueLists } from '@patch/catalogue/lists.ts';
import type { QueryClient } from '@tanstack/react-query';
import { session } from '../api/session.ts';
import { listPath } from '../widgets/list-paths.ts';

interface OpenedAddress {
  readonly pathname: string;
  readonly search: object;
}

export function prefetchFirstPage(queries: QueryClient, address: OpenedAddress): void {
  if (session().token === null) return;
  // The chunks of the pages contain the request. The router reports a chunk that fails to load.
  prefetch(queries, address)?.catch(() => undefined);
}

function prefetch(
  queries: QueryClient,
  { pathname, search }: OpenedAddress,
): Promise<void> | undefined {
  const list = catalogueLists.find((candidate) => listPath(candidate) === pathname);
  if (list !== undefined)
    return import('../list/model/prefetch-list.ts').then(({ prefetchList }) =>
      prefetchList(queries, list, search),
    );
  const record = parseRecordPath(pathname);
  if (record !== undefined)
    return import('../detail/use-record.ts').then(({ recordQuery }) =>
      queries.prefetchQuery(recordQuery(record.list, record.id)),
    );
  return undefined;
}

/** Returns the list and id of a record's address, or undefined for another address. */
function parseRecordPath(
  pathname: string,
): { readonly list: CatalogueList; readonly id: number } | undefined {
  const [, path = '', id = ''] = /^(.*)\/record\/([1-9]\d{0,14})\/?$/.exec(pathname) ?? [];
  const list = catalogueLists.find((candidate) => listPath(candidate) === path);
  return list === undefined ? undefined : { list, id: Number(id) };
}
