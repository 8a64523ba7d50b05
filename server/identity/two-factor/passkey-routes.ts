/** Routes for a person's own passkeys. */
import {
  addPasskeyEndpoint,
  beginPasskeyEndpoint,
  maxPasskeys,
  type Passkey,
  passkeysEndpoint,
  removePasskeyEndpoint,
} from '@patch/contract/accounts/passkey-endpoints.ts';
import type { UserType } from '@patch/contract/base/user-types.ts';
import type { Database } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import { lockUser, sessionEnded } from '../accounts/user-store.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { newBackupCodes } from './backup-codes.ts';
import {
  deletePasskey,
  insertPasskey,
  readUserPasskeys,
  type StoredPasskey,
} from './passkey-store.ts';
import type { Passkeys } from './passkeys.ts';
import { lastFactorNeeded } from './second-factor.ts';
import {
  countBackupCodes,
  hasSecondFactor,
  removeBackupCodes,
  replaceBackupCodes,
} from './two-factor-store.ts';

interface PasskeyRouteParts {
  readonly database: Database;
  readonly passkeys: Passkeys;
  readonly sessions: Pick<Sessions, 'forget'>;
  /** Whether the service requires a second factor of users of this type. */
  readonly isRequired: (userType: UserType) => boolean;
}

export function passkeyRoutes(
  route: RouteRegistrar,
  { database, passkeys, sessions, isRequired }: PasskeyRouteParts,
): void {
  route(passkeysEndpoint, async (request) => {
    const stored = await readUserPasskeys(database, requireUser(request).id);
    return {
      objList: stored.map(toWirePasskey),
      totalCount: stored.length,
      unavailable: passkeys.unavailable(),
    };
  });

  route(beginPasskeyEndpoint, async (request) => {
    const user = requireUser(request);
    if ((await readUserPasskeys(database, user.id)).length >= maxPasskeys) throw tooMany();
    return { options: { ...(await passkeys.creationOptions(user)) } };
  });

  route(addPasskeyEndpoint, async (request) => {
    const user = requireUser(request);
    const { name, registration } = request.body;
    request.changed({ subject: `passkey of ${user.name}`, after: { name } });
    const made = await passkeys.verifyNewPasskey(user, name, registration);
    const { passkey, backupCodes } = await database.transaction(async (transaction) => {
      // The lock makes only one of two concurrent additions create the backup codes.
      if (!(await lockUser(transaction, user.id))) throw sessionEnded();
      if ((await readUserPasskeys(transaction, user.id)).length >= maxPasskeys) throw tooMany();
      const stored = await insertPasskey(transaction, user.id, made);
      if (stored === null)
        throw new AppError('passkey_known', 'This passkey has already been added.');
      const codes = (await countBackupCodes(transaction, user.id)) === 0 ? newBackupCodes() : null;
      if (codes !== null) await replaceBackupCodes(transaction, user.id, codes);
      return { passkey: stored, backupCodes: codes };
    });
    sessions.forget(user.id);
    return { passkey: toWirePasskey(passkey), backupCodes };
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
    return { message: `The passkey '${name}' has been removed.` };
  });
}

function toWirePasskey({
  id,
  name,
  relyingParty,
  createdTime,
  lastUsedTime,
}: StoredPasskey): Passkey {
  return { id, name, host: relyingParty, createdAt: createdTime, lastUsedAt: lastUsedTime };
}

const tooMany = () =>
  new AppError(
    'too_many_passkeys',
    `You have ${maxPasskeys} passkeys, the maximum. Remove one first.`,
  );
