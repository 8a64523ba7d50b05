/** Signing in and out, and who is signed in. */
import { authenticateCall, meCall, signOutCall } from '@patch/contract/sign-in-calls.ts';
import type { Database } from '../database/database.ts';
import type { Answer } from '../http/answer.ts';
import { Refusal } from '../http/refusal.ts';
import { findUserByLogin } from '../users/user-store.ts';
import { checkPassword } from './password-check.ts';
import type { Sessions } from './sessions.ts';
import { ownSession, whoAsks } from './who-asks.ts';

export interface SignInParts {
  readonly database: Database;
  readonly sessions: Sessions;
  readonly clock: () => number;
}

export function signInRoutes(answer: Answer, { database, sessions, clock }: SignInParts): void {
  answer(authenticateCall, async ({ body: { username, password, loginType }, address }) => {
    if (loginType === 'sso') throw new Refusal(422, 'sso_not_configured', 'Single sign-on is not configured.');
    const known = await findUserByLogin(database, username);
    const account = known === null ? username : { id: known.user.id, passwordHash: known.passwordHash };
    const right = await checkPassword(database, { account, password, address, now: clock() });
    const begun = right && known !== null ? await sessions.begin(known.user, known.passwordHash, address) : null;
    if (begun === null || known === null) throw new Refusal(401, 'wrong_credentials', 'The user name or the password is not right.');
    return { ...begun, user: known.user };
  });

  answer(meCall, async (request) => whoAsks(request));

  answer(signOutCall, async (request) => {
    await sessions.end(ownSession(request));
    return { message: 'You are signed out.' };
  });
}
