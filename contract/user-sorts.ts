/** What the list of users can be sorted by, apart from the calls: the address of the screen is checked before the screen is fetched. */

export const userSorts = ['name', 'email', 'userType', 'lastSignInAt', 'createdAt'] as const;
export type UserSort = (typeof userSorts)[number];

/** Each, and each with a leading minus for descending. */
export const userSortOrders = userSorts.flatMap((name) => [name, `-${name}`] as const);
export type UserSortOrder = (typeof userSortOrders)[number];
