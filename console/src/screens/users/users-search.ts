/** The search parameters of the users screen. */
import { userSortOrders } from '@patch/contract/accounts/user-sorts.ts';
import { z } from 'zod';
import { defaultPageSize, pageSizes } from '../../list/address/list-url.ts';

export const userTabs = ['profile', 'sessions', 'keys'] as const;
export type UserTab = (typeof userTabs)[number];

export const usersSearchSchema = z.object({
  keyword: z
    .union([z.string(), z.number().transform(String)])
    .optional()
    .catch(undefined),
  sort: z.enum(userSortOrders).optional().catch(undefined),
  page: z.coerce.number().int().min(1).max(1_000_000).optional().catch(undefined),
  size: z.coerce
    .number()
    .pipe(z.union(pageSizes.map((size) => z.literal(size))))
    .optional()
    .catch(undefined),
  /** The id of the user whose drawer is open. */
  user: z.coerce.number().int().min(1).optional().catch(undefined),
  tab: z.enum(userTabs).optional().catch(undefined),
  /** `new` opens the form of a new user, `keys` all API keys. */
  show: z.enum(['new', 'keys']).optional().catch(undefined),
});
export type UsersSearch = z.infer<typeof usersSearchSchema>;

export function readUsersSearch(search: object) {
  const {
    keyword = '',
    sort = 'name',
    page = 1,
    size = defaultPageSize,
    user,
    tab = 'profile',
    show,
  } = usersSearchSchema.parse(search);
  return { keyword, sort, page, size, user, tab, show } as const;
}
