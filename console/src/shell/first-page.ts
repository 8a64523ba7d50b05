/** When the console opens at a list or a record, what it shows is asked for at once, not when it is drawn: the waits run side by side. */
import { type CatalogueList, catalogueLists } from '@patch/catalogue/lists.ts';
import type { QueryClient } from '@tanstack/react-query';
import { session } from '../api/session.ts';
import { listPath } from '../widgets/list-paths.ts';

interface OpenedAddress {
  readonly pathname: string;
  readonly search: object;
}

export function askForFirstPage(queries: QueryClient, address: OpenedAddress): void {
  if (session().token === null) return;
  // In the files of the pages. The router tells why one cannot be fetched.
  asked(queries, address)?.catch(() => undefined);
}

function asked(
  queries: QueryClient,
  { pathname, search }: OpenedAddress,
): Promise<void> | undefined {
  const list = catalogueLists.find((one) => listPath(one) === pathname);
  if (list !== undefined)
    return import('../list/prefetch-list.ts').then(({ prefetchList }) =>
      prefetchList(queries, list, search),
    );
  const record = recordAt(pathname);
  if (record !== undefined)
    return import('../detail/use-record.ts').then(({ recordQuery }) =>
      queries.prefetchQuery(recordQuery(record.list, record.id)),
    );
  return undefined;
}

/** The record that an address names, where it has the form of one. */
function recordAt(
  pathname: string,
): { readonly list: CatalogueList; readonly id: number } | undefined {
  const [, path = '', id = ''] = /^(.*)\/record\/([1-9]\d{0,14})\/?$/.exec(pathname) ?? [];
  const list = catalogueLists.find((one) => listPath(one) === path);
  return list === undefined ? undefined : { list, id: Number(id) };
}
