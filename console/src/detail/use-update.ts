/** Fetches the update that a record is a part of: its row in All patches, and its records in the list, one for each product. */
import type { ListDefinition } from '@patch/catalogue/definition/list-definition.ts';
import { catalogueLists, getList } from '@patch/catalogue/lists.ts';
import type { WireDetail, WireRow } from '@patch/contract/base/row-schema.ts';
import type { FieldCriterion } from '@patch/contract/filter/criterion.ts';
import { filterText } from '@patch/contract/filter/filter-text.ts';
import { searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import { useQuery } from '@tanstack/react-query';
import { callApi } from '../api/call-api.ts';
import { queryKeys } from '../api/query-keys.ts';

const allPatches = getList('all_patches');

/** More products are counted; Microsoft's largest update of 2026 has 51. */
const maxRecords = 200;

export interface Update {
  /** With the CVEs and the risk of all records. */
  readonly whole: WireRow;
  /** Each with its own CVEs and risk. */
  readonly records: readonly WireRow[];
  readonly recordCount: number;
}

/** Returns null data for a record that is an update by itself. */
export function useUpdate(list: ListDefinition, record: WireDetail) {
  const { countedBy } = list;
  const name = countedBy === undefined ? undefined : record[countedBy];
  return useQuery({
    queryKey: queryKeys.lists.update(list.key, String(name)),
    queryFn: ({ signal }) => readUpdate(list, String(name), signal),
    enabled: typeof name === 'string' && name !== '',
  });
}

async function readUpdate(
  list: ListDefinition,
  name: string,
  signal: AbortSignal,
): Promise<Update | null> {
  const find = (searched: ListDefinition, paramName: string, size: number) => {
    const criterion: FieldCriterion = { paramName, operator: 'equal', value: name };
    const filter = filterText(searched, [criterion], { now: 0, timeZone: 'UTC' });
    return callApi(searchEndpoint(searched), {
      query: { size, sort: 'id' },
      body: { filter },
      signal,
    });
  };
  const found = await find(allPatches, 'identifier', catalogueLists.length);
  const whole = found.objList.find(
    (row) => catalogueLists.find(({ key }) => key === row['list'])?.source === list.source,
  );
  if (whole === undefined) return null;
  const { objList: records, totalCount } = await find(list, list.countedBy ?? '', maxRecords);
  return { whole, records, recordCount: totalCount };
}
