/**
 * Searches for callers who may read restricted fields. Opens the sealed values of the rows, and evaluates conditions and orders on
 * sealed fields in memory. This is fast enough because only the small lists of the service itself have sealed fields.
 */

import { isSealed } from '@patch/catalogue/definition/restricted-fields.ts';
import { keywordName } from '@patch/contract/filter/keyword-terms.ts';
import type { WireRow } from '@patch/contract/row-schema.ts';
import { columnsOfList, hasSealedFields } from '../../platform/database/list-columns.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { foldElements } from '../criteria/condition-meaning.ts';
import { compareRows, type MatchedRow, matchesCondition } from '../criteria/match-rows.ts';
import type { Search } from '../criteria/search-request.ts';
import type { FoundPage, SearchStore } from './search-store.ts';

/** Finds rows, with restricted values only for callers who may read them. */
export interface RowSearch {
  find(search: Search, signal?: AbortSignal): Promise<FoundPage>;
  /** Yields all matching rows in the order of the search. */
  pages(search: Search, signal?: AbortSignal): AsyncGenerator<readonly WireRow[]>;
  /** Returns the ids of all matching rows, in any order. */
  findIds(search: Search, signal?: AbortSignal): Promise<readonly number[]>;
  /** Searches without opening sealed values. */
  readonly store: SearchStore;
}

export interface RestrictedSearchParts {
  readonly store: SearchStore;
  readonly box: Pick<SecretBox, 'open'>;
}

export function restrictedSearch({ store, box }: RestrictedSearchParts): RowSearch {
  const open = (search: Search, rows: readonly WireRow[]) => openRows(search, rows, box);

  return {
    store,
    async find(search, signal) {
      if (!returnsOpenedValues(search)) return store.find(search, signal);
      if (!usesSealedFields(search)) {
        const { rows, total } = await store.find(search, signal);
        return {
          rows: toJsonText(open(search, JSON.parse(`[${rows}]`) as readonly WireRow[])),
          total,
        };
      }
      const rows = await findSealedMatches(store, search, box, signal);
      return {
        rows: toJsonText(rows.slice(search.offset, search.offset + search.size)),
        total: rows.length,
      };
    },
    async findIds(search, signal) {
      if (!usesSealedFields(search)) return store.findIds(search, signal);
      return (await findSealedMatches(store, search, box, signal)).map(({ id }) => id);
    },
    async *pages(search, signal) {
      if (usesSealedFields(search)) {
        yield await findSealedMatches(store, search, box, signal);
        return;
      }
      for await (const rows of readPages(store, search, signal))
        yield returnsOpenedValues(search) ? open(search, rows) : rows;
    },
  };
}

const returnsOpenedValues = ({ list, seesRestricted }: Search) =>
  seesRestricted && hasSealedFields(list);

function usesSealedFields({ list, conditions, sort }: Search): boolean {
  return (
    conditions.some(({ name }) => isSealed(list, name)) ||
    sort.some(({ field }) => isSealed(list, field))
  );
}

async function* readPages(store: SearchStore, search: Search, signal: AbortSignal | undefined) {
  for await (const rows of store.pages(search, signal))
    yield JSON.parse(`[${rows}]`) as readonly WireRow[];
}

/** Returns the search without its conditions on sealed fields, in the order of ids. */
function unsealedSearch(search: Search): Search {
  const conditions = search.conditions.filter(({ name }) => !isSealed(search.list, name));
  return {
    ...search,
    conditions,
    sort: [{ field: 'id', descending: false }],
    usesDefaultSort: false,
  };
}

/** Returns all matching rows in order. SQL evaluates the unsealed conditions, and this function the others. */
async function findSealedMatches(
  store: SearchStore,
  search: Search,
  box: Pick<SecretBox, 'open'>,
  signal: AbortSignal | undefined,
): Promise<readonly WireRow[]> {
  const { list, keyword, sort } = search;
  const sealed = search.conditions.filter(({ name }) => isSealed(list, name));
  const found: {
    readonly wire: WireRow;
    readonly matched: MatchedRow;
    readonly isNameMatch: boolean;
  }[] = [];
  for await (const page of readPages(store, unsealedSearch(search), signal)) {
    for (const wire of openRows(search, page, box)) {
      const { id, ...row } = wire;
      const matched = { id, row };
      if (!sealed.every((condition) => matchesCondition(matched, condition))) continue;
      const isNameMatch =
        search.usesDefaultSort &&
        keyword !== '' &&
        list.identity.some((name) =>
          foldElements(row[name] ?? null).includes(keywordName(keyword)),
        );
      found.push({ wire, matched, isNameMatch });
    }
  }
  found.sort(
    (a, b) =>
      Number(b.isNameMatch) - Number(a.isNameMatch) ||
      compareRows(list, sort, a.matched, b.matched),
  );
  return found.map(({ wire }) => wire);
}

/** Opens the sealed values of rows. A value that was sealed with another key becomes null. */
function openRows(
  { list }: Search,
  rows: readonly WireRow[],
  { open }: Pick<SecretBox, 'open'>,
): readonly WireRow[] {
  const sealed = columnsOfList(list).filter((columns) => columns.sealed);
  return rows.map((row) => {
    const values = sealed.map(({ field }) => [
      field,
      typeof row[field] === 'string' ? open(row[field]) : null,
    ]);
    return { ...row, ...Object.fromEntries(values) } as WireRow;
  });
}

const toJsonText = (rows: readonly WireRow[]) => rows.map((row) => JSON.stringify(row)).join(',');
