/**
 * Sort orders of the list of users, separate from the endpoints because the screen's address is checked before the screen is
 * loaded.
 */

export const userSorts = ['name', 'email', 'userType', 'lastSignInAt', 'createdAt'] as const;
export type UserSort = (typeof userSorts)[number];

/** Each field, plain and with a leading minus for descending. */
export const userSortOrders = userSorts.flatMap((name) => [name, `-${name}`] as const);
