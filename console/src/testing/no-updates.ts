/** Replies that know no update of several records: each record is an update by itself. */
import { getList } from '@patch/catalogue/lists.ts';
import { searchEndpoint } from '@patch/contract/records/search-endpoint.ts';
import { reply } from './fake-api.ts';

export const noUpdates = [
  reply(searchEndpoint(getList('all_patches')), { objList: [], totalCount: 0 }),
];
