/** A page of users that stays current as they are created, changed and removed. */

import type { User } from '@patch/contract/user-endpoints.ts';
import {
  changeUserEndpoint,
  createUserEndpoint,
  deleteUserEndpoint,
  usersEndpoint,
} from '@patch/contract/user-endpoints.ts';
import type { UserSortOrder } from '@patch/contract/user-sorts.ts';
import type { z } from 'zod';
import { callApi } from '../../api/call-api.ts';
import { type ItemSelection, useOptimisticList } from '../../api/optimistic-list.ts';
import { queryKeys } from '../../api/query-keys.ts';

export interface UserPageRequest {
  readonly keyword: string;
  readonly sort: UserSortOrder;
  readonly page: number;
  readonly size: number;
}

/** The request for a new user. Without a password the user is invited. */
export type UserDraft = z.input<typeof createUserEndpoint.body>;
/** Absent fields stay unchanged. */
export type UserChanges = z.input<typeof changeUserEndpoint.body>;

export function useUserList(
  request: UserPageRequest,
  selectedId: ItemSelection,
  onSelect: (selectedId: ItemSelection) => void,
) {
  const { keyword, sort, page, size } = request;
  return useOptimisticList<User, UserDraft, UserChanges>({
    queryKey: queryKeys.users.page(request),
    async load(signal) {
      const query = { offset: String((page - 1) * size), size: String(size), sort };
      const { objectList, totalCount } = await callApi(usersEndpoint, {
        query,
        body: { keyword },
        signal,
      });
      return { items: objectList, total: totalCount };
    },
    create: (body) => callApi(createUserEndpoint, { body }),
    update: (id, body) => callApi(changeUserEndpoint, { params: { id: String(id) }, body }),
    remove: (id) => callApi(deleteUserEndpoint, { params: { id: String(id) } }),
    chosen: selectedId,
    onChosen: onSelect,
  });
}
