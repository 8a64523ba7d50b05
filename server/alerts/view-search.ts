/** Asks a saved view for those of its records that have certain numbers: the new ones. */

import { fieldOf } from '@patch/catalogue/definition/list-definition.ts';
import { type CatalogueList, catalogueLists } from '@patch/catalogue/lists.ts';
import type { When } from '@patch/contract/dates/relative-date.ts';
import { readCriteria } from '@patch/contract/filter/criteria-text.ts';
import { filterText } from '@patch/contract/filter/filter-text.ts';
import type { WireRow } from '@patch/contract/row-schema.ts';
import type { ViewSearch } from '@patch/contract/saved-view-calls.ts';
import { Refusal } from '../http/refusal.ts';
import { readSearch } from '../search/search-request.ts';
import type { SearchStore } from '../search/search-store.ts';
import type { Span } from './alert-store.ts';

export type AskedSearch = Pick<ViewSearch, 'criteria' | 'keyword'> & Partial<Pick<ViewSearch, 'sort'>>;

export interface FoundRecords {
  readonly rows: readonly WireRow[];
  readonly total: number;
}

/** Relative times are read at `when`. Throws Refusal 422 when the list cannot be asked so (any more): a criterion less would tell too much. */
export async function recordsWithin(
  store: SearchStore,
  list: CatalogueList,
  { criteria, keyword, sort = null }: AskedSearch,
  { spans, most, when }: { readonly spans: readonly Span[]; readonly most: number; readonly when: When },
): Promise<FoundRecords> {
  const read = readCriteria(list, criteria, when);
  if (read.refused[0] !== undefined) throw new Refusal(422, 'unaskable_criteria', `${read.refused[0]}.`);
  const body = { filter: filterText(list, read.criteria, when), keyword };
  const search = readSearch(list, { offset: 0, size: most, sort: sort ?? list.defaultSort }, body);
  const rows: WireRow[] = [];
  let total = 0;
  for (const span of spans) {
    const found = await store.find({ ...search, conditions: [...search.conditions, numberedWithin(list, span)] });
    rows.push(...(JSON.parse(`[${found.rows}]`) as WireRow[]));
    total += found.total;
  }
  return { rows: rows.slice(0, most), total };
}

export function knownListOf(key: string): CatalogueList | null {
  return catalogueLists.find((list) => list.key === key) ?? null;
}

const nowhere = { field: 'id', lowered: false, at: 1, operatorAt: 1, valuesAt: [] } as const;

function numberedWithin(list: CatalogueList, [above, upTo]: Span) {
  return { ...nowhere, is: 'between', low: above + 1, high: upTo, name: 'id', definition: fieldOf(list, 'id') } as const;
}

/** In order, those that touch or overlap joined, empty ones left out. */
export function joined(spans: readonly Span[]): readonly Span[] {
  const whole: Span[] = [];
  for (const [above, upTo] of spans.filter(([low, high]) => high > low).toSorted(([one], [other]) => one - other)) {
    const last = whole.at(-1);
    if (last !== undefined && above <= last[1]) whole[whole.length - 1] = [last[0], Math.max(last[1], upTo)];
    else whole.push([above, upTo]);
  }
  return whole;
}
