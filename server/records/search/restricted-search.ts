/**
 * Searches for callers who may read restricted fields: opens the sealed values of the rows, and evaluates conditions and orders by
 * sealed fields in memory. Only the service's own lists have sealed fields, and those are small.
 */

import { isSealed } from '@patch/catalogue/definition/restricted-fields.ts';
import { keywordName } from '@patch/contract/filter/keyword-terms.ts';
import type { WireRow } from '@patch/contract/row-schema.ts';
import { columnsOfList, hasSealedFields } from '../../platform/database/list-columns.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { foldedElements } from '../criteria/condition-meaning.ts';
import { compareRows, type MatchedRow, meetsCondition } from '../criteria/match-rows.ts';
import type { Search } from '../criteria/search-request.ts';
import type { FoundPage, SearchStore } from './search-store.ts';

/** Finds rows that a caller may see. */
export interface RowSearch {
  find(search: Search, signal?: AbortSignal): Promise<FoundPage>;
  /** All rows in their order. */
  pages(search: Search, signal?: AbortSignal): AsyncGenerator<readonly WireRow[]>;
  /** The numbers of all matching rows, in any order. */
  matching(search: Search, signal?: AbortSignal): Promise<readonly number[]>;
  /** The search that the database runs. */
  readonly store: SearchStore;
}

export interface RestrictedSearchParts {
  readonly store: SearchStore;
  readonly box: Pick<SecretBox, 'open'>;
}

export function restrictedSearch({ store, box }: RestrictedSearchParts): RowSearch {
  const opened = (search: Search, rows: readonly WireRow[]) => openRows(search, rows, box);

  return {
    store,
    async find(search, signal) {
      if (!opensValues(search)) return store.find(search, signal);
      if (!asksSealed(search)) {
        const { rows, total } = await store.find(search, signal);
        return {
          rows: textOf(opened(search, JSON.parse(`[${rows}]`) as readonly WireRow[])),
          total,
        };
      }
      const rows = await sealedMatches(store, search, box, signal);
      return {
        rows: textOf(rows.slice(search.offset, search.offset + search.size)),
        total: rows.length,
      };
    },
    async matching(search, signal) {
      if (!asksSealed(search)) return store.matching(search, signal);
      return (await sealedMatches(store, search, box, signal)).map(({ id }) => id);
    },
    async *pages(search, signal) {
      if (asksSealed(search)) {
        yield await sealedMatches(store, search, box, signal);
        return;
      }
      for await (const rows of pagesOf(store, search, signal))
        yield opensValues(search) ? opened(search, rows) : rows;
    },
  };
}

const opensValues = ({ list, seesRestricted }: Search) => seesRestricted && hasSealedFields(list);

function asksSealed({ list, conditions, sort }: Search): boolean {
  return (
    conditions.some(({ name }) => isSealed(list, name)) ||
    sort.some(({ field }) => isSealed(list, field))
  );
}

async function* pagesOf(store: SearchStore, search: Search, signal: AbortSignal | undefined) {
  for await (const rows of store.pages(search, signal))
    yield JSON.parse(`[${rows}]`) as readonly WireRow[];
}

/** The search without its conditions on sealed fields. */
function unsealedSearch(search: Search): Search {
  const conditions = search.conditions.filter(({ name }) => !isSealed(search.list, name));
  return { ...search, conditions, sort: [{ field: 'id', descending: false }], ownOrder: false };
}

/** All matching rows, in order: SQL evaluates what it can see, the rest is evaluated here. */
async function sealedMatches(
  store: SearchStore,
  search: Search,
  box: Pick<SecretBox, 'open'>,
  signal: AbortSignal | undefined,
): Promise<readonly WireRow[]> {
  const { list, keyword, sort } = search;
  const sealed = search.conditions.filter(({ name }) => isSealed(list, name));
  const found: { readonly wire: WireRow; readonly matched: MatchedRow; readonly named: boolean }[] =
    [];
  for await (const page of pagesOf(store, unsealedSearch(search), signal)) {
    for (const wire of openRows(search, page, box)) {
      const { id, ...row } = wire;
      const matched = { id, row };
      if (!sealed.every((condition) => meetsCondition(matched, condition))) continue;
      const named =
        search.ownOrder &&
        keyword !== '' &&
        list.identity.some((name) =>
          foldedElements(row[name] ?? null).includes(keywordName(keyword)),
        );
      found.push({ wire, matched, named });
    }
  }
  found.sort(
    (a, b) => Number(b.named) - Number(a.named) || compareRows(list, sort, a.matched, b.matched),
  );
  return found.map(({ wire }) => wire);
}

/** A value that cannot be opened because it was sealed with another key is shown as empty. */
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

const textOf = (rows: readonly WireRow[]) => rows.map((row) => JSON.stringify(row)).join(',');
