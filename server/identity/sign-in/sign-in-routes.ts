/** Routes for signing in and out, and for the signed-in user. */

import {
  proofFactorsEndpoint,
  signInFactorsEndpoint,
} from '@patch/contract/accounts/second-factor-endpoints.ts';
import {
  authenticateEndpoint,
  meEndpoint,
  proveAtProvider,
  proveIdentityEndpoint,
  type SignedInUser,
  signOutEndpoint,
} from '@patch/contract/accounts/sign-in-endpoints.ts';
import { otpRequired } from '@patch/contract/accounts/two-factor-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireSessionHash, requireUser } from '../../platform/http/require-user.ts';
import type { AuditedChange, RouteRegistrar } from '../../platform/http/route.ts';
import { checkPassword, limitedSignIn } from '../accounts/attempt-limit.ts';
import { isPassword } from '../accounts/password-hash.ts';
import { findUserByLogin, getCaller, sessionEnded } from '../accounts/user-store.ts';
import type { IssuedSession, Sessions } from '../sessions/sessions.ts';
import { type SsoTickets, ssoCookie } from '../sso/sso-tickets.ts';
import { isFactorError, type SecondFactor } from '../two-factor/second-factor.ts';

export interface SignInParts {
  readonly database: Database;
  readonly sessions: Sessions;
  readonly clock: () => number;
}

interface SignInRouteParts extends SignInParts {
  readonly secondFactor: SecondFactor;
  readonly tickets: Pick<SsoTickets, 'exchange' | 'holder'>;
}

export function signInRoutes(
  route: RouteRegistrar,
  { database, sessions, clock, secondFactor, tickets }: SignInRouteParts,
): void {
  route(authenticateEndpoint, async ({ body, address, userAgent, cookie, changed }) => {
    const { username, password, loginType, otp, passkey } = body;
    const start = { address, userAgent };
    if (loginType === 'sso') {
      const shown = { ticket: password, factor: { otp, passkey }, cookie: cookie(ssoCookie) };
      return signInByTicket(tickets, { ...shown, ...start }, changed);
    }
    const known = await findUserByLogin(database, username);
    // Never record the typed name: it may be a password.
    changed(
      known === null
        ? { subject: 'an unknown user' }
        : { subject: `user ${known.user.name}`, by: known.user },
    );
    const right = await limitedSignIn(database, {
      username,
      address,
      now: clock(),
      isRight: () => isPassword(password, known?.passwordHash ?? null),
      andThen: async () => {
        if (known !== null) await secondFactor.demand(known.user.id, { otp, passkey });
      },
    });
    const begun =
      right && known !== null ? await sessions.begin(known.user, known.passwordHash, start) : null;
    if (begun === null) throw wrongCredentials();
    return begun;
  });

  signInFactorsRoute(route, { database, clock, secondFactor, tickets });

  proofRoutes(route, { database, sessions, clock, secondFactor });

  route(meEndpoint, async (request) => requireUser(request));

  route(signOutEndpoint, async (request) => {
    await sessions.end(requireSessionHash(request));
    request.changed({ subject: `user ${requireUser(request).name}` });
    return { message: 'You are signed out.' };
  });
}

/** Lists the second factors of someone whose password or ticket is correct. */
function signInFactorsRoute(
  route: RouteRegistrar,
  { database, clock, secondFactor, tickets }: Omit<SignInRouteParts, 'sessions'>,
): void {
  route(
    signInFactorsEndpoint,
    async ({ body: { username, password, loginType }, address, cookie, changed }) => {
      if (loginType === 'sso')
        return secondFactor.choices(
          await tickets.holder({ ticket: password, cookie: cookie(ssoCookie) }),
        );
      const known = await findUserByLogin(database, username);
      // A wrong password is recorded here too; a correct one is followed by the sign-in itself.
      const isRight = async () => {
        const right = await isPassword(password, known?.passwordHash ?? null);
        if (!right)
          changed(
            known === null
              ? { subject: 'an unknown user' }
              : { subject: `user ${known.user.name}` },
          );
        return right;
      };
      const right = await limitedSignIn(database, {
        username,
        address,
        now: clock(),
        isRight,
        clearsCount: false,
      });
      if (!right || known === null) throw wrongCredentials();
      return secondFactor.choices(known.user.id);
    },
  );
}

/** Signs in after single sign-on, with the ticket as the password. */
async function signInByTicket(
  tickets: Pick<SsoTickets, 'exchange'>,
  shown: Parameters<SsoTickets['exchange']>[0],
  changed: (change: AuditedChange) => void,
): Promise<IssuedSession> {
  // Refused attempts are recorded too; the user is known only after success.
  const record = (user?: SignedInUser) =>
    changed({
      subject: user === undefined ? 'an unknown user' : `user ${user.name}`,
      ...(user && { by: user }),
      after: { loginType: 'sso' },
    });
  const begun = await tickets.exchange(shown).catch((error: unknown) => {
    record();
    throw error;
  });
  record(begun.user);
  return begun;
}

/** Routes to prove one's identity in an open session. */
function proofRoutes(
  route: RouteRegistrar,
  { database, sessions, clock, secondFactor }: Omit<SignInRouteParts, 'tickets'>,
): void {
  route(proofFactorsEndpoint, (request) => secondFactor.choices(requireUser(request).id));

  route(proveIdentityEndpoint, async (request) => {
    const { password, otp, passkey } = request.body;
    const { id, name } = requireUser(request);
    const session = requireSessionHash(request);
    if (request.byProvider)
      throw new AppError(
        proveAtProvider,
        'You signed in with an identity provider: sign in there again.',
      );
    const account = await getCaller(database, id);
    // Refused attempts are recorded too.
    request.changed({ subject: `proof of user ${name}` });
    await checkPassword(database, {
      account,
      password,
      address: request.address,
      now: clock(),
      andThen: () => secondFactor.demand(id, { otp, passkey }).catch(toInputError),
    });
    const provenUntil = await sessions.prove(session);
    if (provenUntil === null) throw sessionEnded();
    return { provenUntil };
  });
}

const wrongCredentials = () =>
  new AppError('wrong_credentials', 'The user name or password is incorrect.');

/** Converts factor errors: in an open session a 401 would mean that it has ended. */
function toInputError(failure: unknown): never {
  if (isFactorError(failure))
    throw new AppError(
      failure.code === otpRequired ? 'proof_otp_required' : 'proof_otp_wrong',
      failure.message,
    );
  throw failure;
}
