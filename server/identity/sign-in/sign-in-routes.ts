/** Signing in and out, and who is signed in. */

import {
  proofFactorsEndpoint,
  signInFactorsEndpoint,
} from '@patch/contract/second-factor-endpoints.ts';
import {
  authenticateEndpoint,
  meEndpoint,
  proveAtProvider,
  proveIdentityEndpoint,
  type SignedInUser,
  signOutEndpoint,
} from '@patch/contract/sign-in-endpoints.ts';
import { otpRequired } from '@patch/contract/two-factor-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireSessionHash, requireUser } from '../../platform/http/require-user.ts';
import type { AuditedChange, RouteRegistrar } from '../../platform/http/route.ts';
import { checkPassword } from '../accounts/password-check.ts';
import { isPassword } from '../accounts/password-hash.ts';
import { limitedSignIn } from '../accounts/sign-in-limits.ts';
import { findUserById, findUserByLogin } from '../accounts/user-store.ts';
import type { Begun, Sessions } from '../sessions/sessions.ts';
import { ssoCookie } from '../sso/sso-cookie.ts';
import type { SsoTickets } from '../sso/sso-tickets.ts';
import { isFactorError, type SecondFactor } from '../two-factor/second-factor.ts';

export interface SignInParts {
  readonly database: Database;
  readonly sessions: Sessions;
  readonly clock: () => number;
}

interface WaysIn extends SignInParts {
  readonly secondFactor: SecondFactor;
  readonly tickets: Pick<SsoTickets, 'exchange' | 'holder'>;
}

export function signInRoutes(
  route: RouteRegistrar,
  { database, sessions, clock, secondFactor, tickets }: WaysIn,
): void {
  route(
    authenticateEndpoint,
    async ({
      body: { username, password, loginType, otp, passkey },
      address,
      userAgent,
      cookie,
      changed,
    }) => {
      if (loginType === 'sso')
        return signInByTicket(
          tickets,
          {
            ticket: password,
            factor: { otp, passkey },
            cookie: cookie(ssoCookie),
            address,
            userAgent,
          },
          changed,
        );
      const known = await findUserByLogin(database, username);
      // Never what was typed for a name: it may be a password.
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
        right && known !== null
          ? await sessions.begin(known.user, known.passwordHash, { address, userAgent })
          : null;
      if (begun === null) throw wrongCredentials();
      return begun;
    },
  );

  signInFactorsRoute(route, { database, clock, secondFactor, tickets });

  proofRoutes(route, { database, sessions, clock, secondFactor });

  route(meEndpoint, async (request) => requireUser(request));

  route(signOutEndpoint, async (request) => {
    await sessions.end(requireSessionHash(request));
    request.changed({ subject: `user ${requireUser(request).name}` });
    return { message: 'You are signed out.' };
  });
}

/** What can be shown as a second factor, for someone whose password or ticket is right. */
function signInFactorsRoute(
  route: RouteRegistrar,
  { database, clock, secondFactor, tickets }: Omit<WaysIn, 'sessions'>,
): void {
  route(
    signInFactorsEndpoint,
    async ({ body: { username, password, loginType }, address, cookie, changed }) => {
      if (loginType === 'sso')
        return secondFactor.choices(
          await tickets.holder({ ticket: password, cookie: cookie(ssoCookie) }),
        );
      const known = await findUserByLogin(database, username);
      // A wrong password is on record wherever it is tried; a right one is followed by the sign-in itself.
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
        forgets: false,
      });
      if (!right || known === null) throw wrongCredentials();
      return secondFactor.choices(known.user.id);
    },
  );
}

/** After single sign-on; the ticket stands in the place of a password. */
async function signInByTicket(
  tickets: Pick<SsoTickets, 'exchange'>,
  shown: Parameters<SsoTickets['exchange']>[0],
  changed: (change: AuditedChange) => void,
): Promise<Begun> {
  // Refused tries are on record too; whose they are is known only afterwards.
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

/** People confirm who they are in a session that is open. */
function proofRoutes(
  route: RouteRegistrar,
  { database, sessions, clock, secondFactor }: Omit<WaysIn, 'tickets'>,
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
    const known = await findUserById(database, id);
    if (known === null) throw ended();
    // Refused tries are on record too.
    request.changed({ subject: `proof of user ${name}` });
    const right = await checkPassword(database, {
      account: { id, passwordHash: known.passwordHash },
      password,
      address: request.address,
      now: clock(),
      andThen: () => secondFactor.demand(id, { otp, passkey }).catch(asInput),
    });
    if (!right) throw new AppError('wrong_password', 'The current password is incorrect.');
    const provenUntil = await sessions.prove(session);
    if (provenUntil === null) throw ended();
    return { provenUntil };
  });
}

const wrongCredentials = () =>
  new AppError('wrong_credentials', 'The user name or password is incorrect.');

const ended = () => new AppError('session_ended', 'The session has ended. Sign in again.');

/** In a session that is open a 401 would say that it has ended. */
function asInput(failure: unknown): never {
  if (isFactorError(failure))
    throw new AppError(
      failure.code === otpRequired ? 'proof_otp_required' : 'proof_otp_wrong',
      failure.message,
    );
  throw failure;
}
