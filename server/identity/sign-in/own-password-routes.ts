/** Routes for the password policy and for changing one's own password. */
import {
  changePasswordEndpoint,
  passwordPolicyEndpoint,
} from '@patch/contract/sign-in-endpoints.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import { readPasswordPolicy } from '../../platform/settings/password-policy-store.ts';
import { checkPassword } from '../accounts/password-check.ts';
import { hashPassword } from '../accounts/password-hash.ts';
import { removeResetLinks } from '../accounts/password-reset-store.ts';
import { findUserById, setPassword } from '../accounts/user-store.ts';
import { assertStrongPassword } from '../accounts/weak-password.ts';
import { endKeys } from '../api-keys/end-keys.ts';
import type { SignInParts } from './sign-in-routes.ts';

export function ownPasswordRoutes(
  route: RouteRegistrar,
  { database, sessions, clock }: SignInParts,
): void {
  route(passwordPolicyEndpoint, () => readPasswordPolicy(database));

  route(changePasswordEndpoint, async (request) => {
    const { oldPassword, newPassword, endApiKeys = false } = request.body;
    const known = await findUserById(database, requireUser(request).id);
    if (known === null)
      throw new AppError('session_ended', 'The session has ended. Sign in again.');
    const { user, passwordHash } = known;
    // Refused attempts are recorded too.
    request.changed({ subject: `password of user ${user.name}` });
    const account = { id: user.id, passwordHash };
    // Counted like a sign-in attempt: an open session must not be a way to guess passwords.
    const right = await checkPassword(database, {
      account,
      password: oldPassword,
      address: request.address,
      now: clock(),
    });
    if (!right) throw new AppError('wrong_password', 'The current password is incorrect.');
    assertStrongPassword(await readPasswordPolicy(database), newPassword, user);
    if (newPassword === oldPassword)
      throw new AppError('same_password', 'The new password must differ from the current one.');
    const newHash = await hashPassword(newPassword);
    const changed = await sessions.endAllForUser(user.id, async (transaction) => {
      const set = await setPassword(transaction, user.id, passwordHash, newHash);
      if (!set) return false;
      await removeResetLinks(transaction, user.id);
      if (endApiKeys) await endKeys(transaction, user, request.changed);
      return true;
    });
    if (!changed)
      throw new AppError(
        'changed_meanwhile',
        'The password was changed elsewhere in the meantime. Sign in again.',
      );
    return { message: 'password updated successfully' as const };
  });
}
