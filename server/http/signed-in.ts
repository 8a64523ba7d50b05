/** Who makes a request, by the `Authorization: Apikey <token>` header, and whether they may. */
import type { Call } from '@patch/contract/call.ts';
import type { SignedInUser } from '@patch/contract/sign-in-calls.ts';
import { changePasswordCall, meCall, passwordPolicyCall, signOutCall } from '@patch/contract/sign-in-calls.ts';
import { Refusal } from './refusal.ts';

export interface SignedIn {
  readonly user: SignedInUser;
  /** SHA-256 of the session's token. */
  readonly session: string;
}

/** Null: no such session, or it has ended. */
export type FindSession = (token: string) => Promise<SignedIn | null>;

const beforePasswordChange: ReadonlySet<string> = new Set(
  [meCall, passwordPolicyCall, changePasswordCall, signOutCall].map((call) => call.name),
);

const challenge = { 'www-authenticate': 'Apikey' };

/** Null on public calls; a Refusal for whoever may not make the call. */
export async function admit(call: Call, authorization: string | undefined, findSession: FindSession): Promise<SignedIn | null> {
  if (call.access === 'public') return null;
  const token = /^apikey +(\S{1,200})$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) throw new Refusal(401, 'not_signed_in', 'Sign in first.', challenge);
  const signedIn = await findSession(token);
  if (signedIn === null) throw new Refusal(401, 'session_ended', 'The session has ended. Sign in again.', challenge);
  if (call.access === 'admin' && signedIn.user.userType !== 'Admin')
    throw new Refusal(403, 'not_allowed', 'Only an administrator may do this. Ask one, or sign in as one.');
  if (signedIn.user.mustChangePassword && !beforePasswordChange.has(call.name))
    throw new Refusal(403, 'must_change_password', 'Change your password first; until then nothing else is answered.');
  return signedIn;
}
