/** Signs a person in for the running test; afterwards nobody is signed in. */
import type { SignedInUser } from '@patch/contract/sign-in-endpoints.ts';
import { signIn } from '../api/session.ts';

/** An administrator who reads times in UTC, with what a test says otherwise. */
export function signedInUser(more: Partial<SignedInUser> = {}): SignedInUser {
  return {
    id: 1,
    name: 'admin',
    email: '',
    userType: 'Admin',
    timezone: 'UTC',
    mustChangePassword: false,
    ...more,
  };
}

export function signInAs(more: Partial<SignedInUser> = {}): SignedInUser {
  const user = signedInUser(more);
  signIn('token', user);
  return user;
}
