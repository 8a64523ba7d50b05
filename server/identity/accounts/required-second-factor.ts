/** Who must have a second factor, as the settings say. */
import type { SignedInUser } from '@patch/contract/accounts/sign-in-endpoints.ts';
import type { UserType } from '@patch/contract/base/user-types.ts';
import type { GeneralSettings } from '@patch/contract/operations/settings-endpoints.ts';

/** Returns whether the service requires a second factor of users of this type. */
export type IsRequired = (userType: UserType) => boolean;

export function requiresSecondFactor(
  requirement: GeneralSettings['secondFactorRequired'],
  userType: UserType,
): boolean {
  return requirement === 'everybody' || (requirement === 'administrators' && userType === 'Admin');
}

/** Returns the user, who may make no other call before the second factor is set up that is required and missing. */
export const withObligation = (
  user: SignedInUser,
  isLacking: boolean,
  isRequired: IsRequired,
): SignedInUser =>
  isLacking && isRequired(user.userType) ? { ...user, mustSetUpSecondFactor: true } : user;
