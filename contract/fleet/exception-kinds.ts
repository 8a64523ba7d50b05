/** The kinds of exceptions and who decides about them: apart from their calls, since pages need them before. */
import { may, type UserType } from '../base/user-types.ts';

export const exceptionKinds = ['accepted', 'not_applicable', 'waiting'] as const;
export type ExceptionKind = (typeof exceptionKinds)[number];

export const exceptionKindWords: Readonly<Record<ExceptionKind, string>> = {
  accepted: 'Accepted risk',
  not_applicable: 'Not applicable',
  waiting: 'Waiting',
};

/** Returns whether a user may make, change or end the exceptions of an owner: an approver of everybody, an operator the own ones. */
export const mayDecide = (
  user: { readonly id: number; readonly userType: UserType } | null,
  owner: { readonly userId: number | null } | { readonly address: string } | null,
): boolean =>
  user !== null &&
  (may(user.userType, 'approver') ||
    (may(user.userType, 'operator') &&
      owner !== null &&
      'userId' in owner &&
      owner.userId === user.id));
