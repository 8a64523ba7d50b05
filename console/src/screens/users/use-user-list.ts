/** A page of the users, kept here as they are made, changed and removed. */
import type { User } from '@patch/contract/user-calls.ts';
import { changeUserCall, createUserCall, deleteUserCall, usersCall } from '@patch/contract/user-calls.ts';
import type { UserSortOrder } from '@patch/contract/user-sorts.ts';
import type { z } from 'zod';
import { type Chosen, useKeptItems } from '../../api/kept-items.ts';
import { makeCall } from '../../api/make-call.ts';

export interface UserPageAsked {
  readonly keyword: string;
  readonly sort: UserSortOrder;
  readonly page: number;
  readonly size: number;
}

/** As the call takes it: one without a password is invited. */
export type UserDraft = z.input<typeof createUserCall.body>;
/** What is absent stays. */
export type UserChanges = z.input<typeof changeUserCall.body>;

export function useUserList(asked: UserPageAsked, chosen: Chosen, onChosen: (chosen: Chosen) => void) {
  const { keyword, sort, page, size } = asked;
  return useKeptItems<User, UserDraft, UserChanges>({
    queryKey: ['users', asked],
    async load(signal) {
      const query = { offset: String((page - 1) * size), size: String(size), sort };
      const { objectList, totalCount } = await makeCall(usersCall, { query, body: { keyword }, signal });
      return { items: objectList, total: totalCount };
    },
    create: (body) => makeCall(createUserCall, { body }),
    update: (id, body) => makeCall(changeUserCall, { params: { id: String(id) }, body }),
    remove: (id) => makeCall(deleteUserCall, { params: { id: String(id) } }),
    chosen,
    onChosen,
  });
}
