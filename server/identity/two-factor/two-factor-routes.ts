/** Routes for one's own second factor, and for administrators who disable another user's. */

import {
  beginTwoFactorEndpoint,
  disableTwoFactorEndpoint,
  enableTwoFactorEndpoint,
  removeUserTwoFactorEndpoint,
  renewBackupCodesEndpoint,
  twoFactorEndpoint,
} from '@patch/contract/accounts/two-factor-endpoints.ts';
import type { UserType } from '@patch/contract/base/user-types.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { EndpointRequest, RouteRegistrar } from '../../platform/http/route.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { checkPassword } from '../accounts/attempt-limit.ts';
import { findUserById, getCaller, lockUser } from '../accounts/user-store.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { newBackupCodes } from './backup-codes.ts';
import { readUserPasskeys } from './passkey-store.ts';
import {
  isFactorError,
  keyChanged,
  lastFactorNeeded,
  type SecondFactor,
  type ShownFactor,
} from './second-factor.ts';
import { base32, findTotpStep, newTotpSecret, otpauthUri } from './totp.ts';
import {
  countBackupCodes,
  enableApp,
  hasSecondFactor,
  readApp,
  removeApp,
  removeBackupCodes,
  removeSecondFactors,
  renewBackupCodes,
  replaceBackupCodes,
  storeNewSecret,
} from './two-factor-store.ts';

interface TwoFactorParts {
  readonly database: Database;
  readonly box: SecretBox;
  readonly sessions: Pick<Sessions, 'forget'>;
  readonly secondFactor: SecondFactor;
  readonly clock: () => number;
  /** Whether the service requires a second factor for users of this type. */
  readonly isRequired: (userType: UserType) => boolean;
}

type Proving = Pick<EndpointRequest<typeof enableTwoFactorEndpoint>, 'user' | 'address'> & {
  readonly body: ShownFactor & { readonly password: string };
};

export function twoFactorRoutes(route: RouteRegistrar, parts: TwoFactorParts): void {
  const { database } = parts;
  route(twoFactorEndpoint, async (request) => {
    const { id } = requireUser(request);
    const enabledAt = (await readApp(database, id))?.enabledTime ?? null;
    return {
      enabled: enabledAt !== null,
      enabledAt,
      backupCodesLeft: await countBackupCodes(database, id),
    };
  });

  enableRoutes(route, parts);
  renewAndDisableRoutes(route, parts);
  removeUserFactorRoute(route, parts);
}

/** Creates a secret for the authenticator app, and enables it with one of its codes. */
function enableRoutes(route: RouteRegistrar, parts: TwoFactorParts): void {
  const { database, box, sessions, clock } = parts;
  const { proveWithPassword, proveWithOtherFactor } = createProofs(parts);

  route(beginTwoFactorEndpoint, async (request) => {
    const { id, name } = requireUser(request);
    await proveWithOtherFactor(request);
    const secret = newTotpSecret();
    const sealed = box.seal(Buffer.from(secret).toString('base64url'));
    if (!(await storeNewSecret(database, id, sealed))) throw alreadyOn();
    return { secret: base32(secret), uri: otpauthUri(secret, name) };
  });

  route(enableTwoFactorEndpoint, async (request) => {
    const { id, name } = requireUser(request);
    await proveWithOtherFactor(request);
    const stored = await readApp(database, id);
    if (stored === null)
      throw new AppError(
        'two_factor_not_begun',
        'Create a secret for your authenticator app first.',
      );
    if (stored.enabledTime !== null) throw alreadyOn();
    const secret = box.open(stored.sealedSecret);
    if (secret === null) throw keyChanged();
    const now = clock();
    const step = await proveWithPassword(request, async () => {
      const found = findTotpStep(Buffer.from(secret, 'base64url'), request.body.otp, now);
      if (found === null) throw wrongCode('Check that the clock of your phone is correct.');
      return found;
    });
    const codes = newBackupCodes();
    const done = await database.transaction(async (transaction) => {
      await lockUser(transaction, id);
      if (!(await enableApp(transaction, id, { sealedSecret: stored.sealedSecret, step, now })))
        return false;
      await replaceBackupCodes(transaction, id, codes);
      return true;
    });
    if (!done)
      throw new AppError(
        'changed_meanwhile',
        'Another secret was created in the meantime. Start again.',
      );
    sessions.forget(id);
    request.changed(factorChange(name, true));
    return { backupCodes: codes };
  });
}

function renewAndDisableRoutes(route: RouteRegistrar, parts: TwoFactorParts): void {
  const { database, sessions, isRequired } = parts;
  const { proveWithFactor } = createProofs(parts);

  route(renewBackupCodesEndpoint, async (request) => {
    const { id, name } = requireUser(request);
    await proveWithFactor(request);
    const codes = newBackupCodes();
    if (!(await renewBackupCodes(database, id, codes))) throw secondFactorOff();
    request.changed({ subject: `backup codes of ${name}` });
    return { backupCodes: codes };
  });

  route(disableTwoFactorEndpoint, async (request) => {
    const { id, name, userType } = requireUser(request);
    const app = await readApp(database, id);
    if (app === null || app.enabledTime === null)
      throw twoFactorOff('The authenticator app is not enabled.');
    if (isRequired(userType) && (await readUserPasskeys(database, id)).length === 0)
      throw lastFactorNeeded();
    await proveWithFactor(request);
    await database.transaction(async (transaction) => {
      await lockUser(transaction, id);
      await removeApp(transaction, id);
      if (await hasSecondFactor(transaction, id)) return;
      if (isRequired(userType)) throw lastFactorNeeded();
      await removeBackupCodes(transaction, id);
    });
    sessions.forget(id);
    request.changed(factorChange(name, false));
    return { message: 'The authenticator app has been disabled.' };
  });
}

/** Administrators remove the second factor of someone who has lost it. */
function removeUserFactorRoute(
  route: RouteRegistrar,
  { database, sessions }: Pick<TwoFactorParts, 'database' | 'sessions'>,
): void {
  route(removeUserTwoFactorEndpoint, async ({ params: { id }, changed, user }) => {
    // Otherwise anyone at an unattended screen could disable it without password and code.
    if (id === requireUser({ user }).id)
      throw new AppError(
        'own_second_factor',
        'Disable your own second factor in your account, which asks for your password and a code.',
      );
    const known = await findUserById(database, id);
    if (known === null) throw new AppError('not_found', 'This user no longer exists.');
    const { name } = known.user;
    if (!(await database.transaction((transaction) => removeSecondFactors(transaction, id))))
      throw twoFactorOff(`The second factor of ${name} is not enabled.`);
    sessions.forget(id);
    changed(factorChange(name, false));
    return { message: `The second factor of ${name} has been disabled.` };
  });
}

/** Proofs of identity before users change their own second factor. */
function createProofs({
  database,
  secondFactor,
  clock,
}: Pick<TwoFactorParts, 'database' | 'secondFactor' | 'clock'>) {
  /** Otherwise someone with the password but without the passkey could add an app. */
  async function proveWithOtherFactor(
    request: Pick<EndpointRequest<typeof enableTwoFactorEndpoint>, 'user' | 'requireProof'>,
  ): Promise<void> {
    if (await secondFactor.isOn(requireUser(request).id)) request.requireProof();
  }

  async function proveWithFactor(request: Proving): Promise<void> {
    const { id } = requireUser(request);
    if (!(await secondFactor.isOn(id))) throw secondFactorOff();
    await proveWithPassword(request, () =>
      secondFactor.demand(id, request.body).catch(toInputError),
    );
  }

  /** Requires one's own password, counted like a sign-in attempt: an open session must not be a way to guess it. */
  async function proveWithPassword<Found>(
    { body, address, ...request }: Proving,
    factor: () => Promise<Found>,
  ): Promise<Found> {
    const account = await getCaller(database, requireUser(request).id);
    const attempt = { account, password: body.password, address, now: clock(), andThen: factor };
    return (await checkPassword(database, attempt)) as Found;
  }

  return { proveWithPassword, proveWithFactor, proveWithOtherFactor };
}

const factorChange = (name: string, enabled: boolean) => ({
  subject: `second factor of ${name}`,
  before: { enabled: !enabled },
  after: { enabled },
});

/** Converts factor errors to invalid input: a 401 would mean that the session has ended. */
function toInputError(failure: unknown): never {
  if (isFactorError(failure)) throw new AppError('wrong_code', failure.message);
  throw failure;
}

const wrongCode = (advice: string) =>
  new AppError('wrong_code', `The code is incorrect, or has already been used. ${advice}`);
const alreadyOn = () =>
  new AppError(
    'two_factor_on',
    'The authenticator app is already enabled. Disable it first to use another app.',
  );
const secondFactorOff = () => twoFactorOff('The second factor is not enabled.');
const twoFactorOff = (words: string) => new AppError('two_factor_off', words);
