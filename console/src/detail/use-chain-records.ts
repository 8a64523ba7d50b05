/** Fetches the records of a chain's updates in the same list and product, for links and dates. */

import { fold } from '@patch/catalogue/definition/fold.ts';
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { releaseDateField } from '@patch/catalogue/definition/record-name.ts';
import type { WireDetail } from '@patch/contract/base/row-schema.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { filterText } from '@patch/contract/filter/filter-text.ts';
import { searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';
import type { Chain } from './chain-of-record.ts';

/** Limit of names in a filter; a longer chain is cut to the newest. */
const maxNames = 400;

export interface ChainRecord {
  /** Null when several records have the name. */
  readonly id: number | null;
  readonly releaseDate: number | null;
}

/** Keyed by folded name. */
export type ChainRecords = ReadonlyMap<string, ChainRecord>;

export function useChainRecords(
  list: ListDefinition,
  record: WireDetail,
  chain: Chain,
): ChainRecords {
  const links = [...chain.older, ...chain.newer, ...(chain.last === null ? [] : [chain.last])];
  const names = [...new Set(links.map(({ name }) => name))].slice(-maxNames);
  const { name: field = '', within } = list.detail.supersedence ?? {};
  const product = within === undefined ? null : record[within];
  const { data } = useQuery({
    queryKey: queryKeys.lists.chain(list.key, record.id, names),
    queryFn: ({ signal }) => {
      const criteria: FieldCriterion[] = [{ paramName: field, operator: 'in', value: names }];
      if (within !== undefined && typeof product === 'string')
        criteria.push({ paramName: within, operator: 'equal', value: product });
      const filter = filterText(list, criteria, { now: 0, timeZone: 'UTC' });
      return callApi(searchEndpoint(list), { query: { size: 1000 }, body: { filter }, signal });
    },
    enabled: names.length > 0,
  });
  const date = releaseDateField(list)?.name ?? '';
  const known = new Map<string, ChainRecord>();
  for (const row of data?.objList ?? []) {
    const key = fold(String(row[field] ?? ''));
    const released = row[date];
    known.set(key, {
      id: known.has(key) ? null : row.id,
      releaseDate: typeof released === 'number' ? released : null,
    });
  }
  return known;
}
