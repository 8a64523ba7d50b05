/** Signs a user in for the running test. The test setup signs them out afterwards. */
import type { SignedInUser } from '@patch/contract/accounts/sign-in-endpoints.ts';
import { signIn } from '../api/session.ts';

/** Returns an administrator in UTC, with the given changes. */
export function signedInUser(changes: Partial<SignedInUser> = {}): SignedInUser {
  return {
    id: 1,
    name: 'admin',
    email: '',
    userType: 'Admin',
    timezone: 'UTC',
    mustChangePassword: false,
    ...changes,
  };
}

export function signInAs(changes: Partial<SignedInUser> = {}): SignedInUser {
  const user = signedInUser(changes);
  signIn('token', user);
  return user;
}
