/** Searches for callers who may read restricted fields: opens the sealed values of the rows. */
import type { WireRow } from '@patch/contract/row-schema.ts';
import { columnsOfList, hasSealedFields } from '../../platform/database/list-columns.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { Search } from '../criteria/search-request.ts';
import type { FoundPage, SearchStore } from './search-store.ts';

/** Finds rows, with restricted values only for callers who may read them. */
export interface RowSearch {
  find(search: Search, signal?: AbortSignal): Promise<FoundPage>;
  /** Yields all matching rows in the order of the search. */
  pages(search: Search, signal?: AbortSignal): AsyncGenerator<readonly WireRow[]>;
  /** Searches without opening sealed values. */
  readonly store: SearchStore;
}

export interface RestrictedSearchParts {
  readonly store: SearchStore;
  readonly box: Pick<SecretBox, 'open'>;
}

export const restrictedSearch = ({ store, box }: RestrictedSearchParts): RowSearch => ({
  store,
  async find(search, signal) {
    const { rows, total } = await store.find(search, signal);
    if (!returnsOpenedValues(search)) return { rows, total };
    const opened = openRows(search, rows, box).map((row) => JSON.stringify(row));
    return { rows: opened.join(','), total };
  },
  async *pages(search, signal) {
    for await (const rows of store.pages(search, signal))
      yield returnsOpenedValues(search) ? openRows(search, rows, box) : readRows(rows);
  },
});

const returnsOpenedValues = ({ list, seesRestricted }: Search) =>
  seesRestricted && hasSealedFields(list);

const readRows = (rows: string) => JSON.parse(`[${rows}]`) as readonly WireRow[];

/** Opens the sealed values of rows. A value that was sealed with another key becomes null. */
function openRows(
  { list }: Search,
  rows: string,
  { open }: Pick<SecretBox, 'open'>,
): readonly WireRow[] {
  const sealed = columnsOfList(list).filter((columns) => columns.sealed);
  return readRows(rows).map((row) => {
    const values = sealed.map(({ field }) => [
      field,
      typeof row[field] === 'string' ? open(row[field]) : null,
    ]);
    return { ...row, ...Object.fromEntries(values) } as WireRow;
  });
}
