/** Adding, listing and removing the own passkeys. */
import {
  addPasskeyEndpoint,
  beginPasskeyEndpoint,
  maxPasskeys,
  type Passkey,
  passkeysEndpoint,
  removePasskeyEndpoint,
} from '@patch/contract/passkey-endpoints.ts';
import type { UserType } from '@patch/contract/sign-in-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import { lockUser } from '../accounts/user-store.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { newBackupCodes } from './backup-codes.ts';
import {
  deletePasskey,
  insertPasskey,
  passkeysOfUser,
  type StoredPasskey,
} from './passkey-store.ts';
import type { Passkeys } from './passkeys.ts';
import { lastFactorNeeded } from './second-factor.ts';
import {
  backupCodesLeft,
  hasSecondFactor,
  removeBackupCodes,
  replaceBackupCodes,
} from './two-factor-store.ts';

interface PasskeyRouteParts {
  readonly database: Database;
  readonly passkeys: Passkeys;
  readonly sessions: Pick<Sessions, 'forget'>;
  /** Whether the service requires a second factor of such people. */
  readonly isRequired: (userType: UserType) => boolean;
}

export function passkeyRoutes(
  route: RouteRegistrar,
  { database, passkeys, sessions, isRequired }: PasskeyRouteParts,
): void {
  route(passkeysEndpoint, async (request) => {
    const stored = await passkeysOfUser(database, requireUser(request).id);
    return {
      objList: stored.map(told),
      totalCount: stored.length,
      unavailable: passkeys.unavailable(),
    };
  });

  route(beginPasskeyEndpoint, async (request) => {
    const user = requireUser(request);
    if ((await passkeysOfUser(database, user.id)).length >= maxPasskeys) throw tooMany();
    return { options: { ...(await passkeys.creationOptions(user)) } };
  });

  route(addPasskeyEndpoint, async (request) => {
    const user = requireUser(request);
    const { name, registration } = request.body;
    request.changed({ subject: `passkey of ${user.name}`, after: { name } });
    const made = await passkeys.verified(user, name, registration);
    const { passkey, backupCodes } = await database.transaction(async (transaction) => {
      // In turn: of two that are added at once, one makes the backup codes.
      if (!(await lockUser(transaction, user.id)))
        throw new AppError('session_ended', 'The session has ended. Sign in again.');
      if ((await passkeysOfUser(transaction, user.id)).length >= maxPasskeys) throw tooMany();
      const stored = await insertPasskey(transaction, user.id, made);
      if (stored === null)
        throw new AppError('passkey_known', 'This passkey has already been added.');
      const codes = (await backupCodesLeft(transaction, user.id)) === 0 ? newBackupCodes() : null;
      if (codes !== null) await replaceBackupCodes(transaction, user.id, codes);
      return { passkey: stored, backupCodes: codes };
    });
    sessions.forget(user.id);
    return { passkey: told(passkey), backupCodes };
  });

  route(removePasskeyEndpoint, async (request) => {
    const user = requireUser(request);
    const name = await database.transaction(async (transaction) => {
      if (!(await lockUser(transaction, user.id))) return null;
      const removed = await deletePasskey(transaction, user.id, request.params.id);
      if (await hasSecondFactor(transaction, user.id)) return removed;
      if (removed !== null && isRequired(user.userType)) throw lastFactorNeeded();
      await removeBackupCodes(transaction, user.id);
      return removed;
    });
    if (name === null) throw new AppError('not_found', 'You do not have this passkey.');
    sessions.forget(user.id);
    request.changed({ subject: `passkey of ${user.name}`, before: { name } });
    return { message: `The passkey '${name}' is removed.` };
  });
}

function told({ id, name, relyingParty, createdTime, lastUsedTime }: StoredPasskey): Passkey {
  return { id, name, host: relyingParty, createdAt: createdTime, lastUsedAt: lastUsedTime };
}

const tooMany = () =>
  new AppError('too_many_passkeys', `There are ${maxPasskeys} passkeys already. Remove one first.`);
