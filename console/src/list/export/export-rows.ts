/** Exports the rows of a search as a file. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { maxFilterLength } from '@patch/contract/filter/parse-filter.ts';
import {
  type ExportFormat,
  exportTicketEndpoint,
} from '@patch/contract/records/export-endpoints.ts';
import { callApi } from '../../api/call-api.ts';
import { takeFile } from '../../api/take-file.ts';

export interface ExportedSearch {
  readonly filter?: string;
  readonly keyword?: string;
}

export interface RowsToExport {
  readonly list: ListDefinition;
  readonly format: ExportFormat;
  readonly columns: readonly string[];
  readonly sort: string;
  readonly search: ExportedSearch;
}

/** Starts the download and returns the number of rows. */
export async function exportRows({
  list,
  format,
  columns,
  sort,
  search,
}: RowsToExport): Promise<number> {
  const { path, fileName, totalCount } = await callApi(exportTicketEndpoint, {
    body: { list: list.key, format, columns: [...columns], sort, search },
  });
  takeFile(path, fileName);
  return totalCount;
}

/** Restricts the search to marked rows. Returns null when there are too many for a filter. */
export function toMarkedSearch(
  search: ExportedSearch,
  ids: ReadonlySet<number>,
): ExportedSearch | null {
  const marked = `id in (${[...ids].join(',')})`;
  const filter = search.filter === undefined ? marked : `${search.filter} and ${marked}`;
  return ids.size > 1000 || new TextEncoder().encode(filter).length > maxFilterLength
    ? null
    : { ...search, filter };
}
