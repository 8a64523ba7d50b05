/**
 * The types of users, each with the rights of the ones after it. `Admin` and `Standard` are the specification's. An operator plans
 * updates and excepts records; an approver decides about rings, checkpoints and the exceptions of others too.
 */
export const userTypes = ['Admin', 'Approver', 'Operator', 'Standard'] as const;
export type UserType = (typeof userTypes)[number];

/** The access of calls that signed-in users make, in the order of the types that have it. */
const accesses = ['admin', 'approver', 'operator', 'standard'] as const;
export type UserAccess = (typeof accesses)[number];

/** Returns whether users of a type may make the calls with an access; false for nobody. */
export const may = (userType: UserType | undefined, access: UserAccess): boolean =>
  userType !== undefined && userTypes.indexOf(userType) <= accesses.indexOf(access);

/** What a user type is for, as people read it where they choose one. */
export const userTypeWords: Readonly<Record<UserType, string>> = {
  Admin: 'Reads and changes everything',
  Approver: 'Reads, plans updates, and decides about all exceptions, rings and checkpoints',
  Operator:
    'Reads, writes notes, assigns records, plans updates, and makes exceptions of their own',
  Standard: 'Reads',
};
