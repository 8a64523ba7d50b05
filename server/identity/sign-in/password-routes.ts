/**
 * Routes for the password policy, for changing one's own password, and for forgotten ones: an emailed link, and the new password
 * that it allows. The reply does not reveal who has an account.
 */

import {
  forgotPasswordEndpoint,
  resetLinkEndpoint,
  resetPasswordEndpoint,
} from '@patch/contract/accounts/password-reset-endpoints.ts';
import {
  changePasswordEndpoint,
  passwordPolicyEndpoint,
} from '@patch/contract/accounts/sign-in-endpoints.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import type { PlatformContext } from '../../platform/platform-context.ts';
import { readPasswordPolicy } from '../../platform/settings/settings-store.ts';
import { checkPassword, clearUserAttempts } from '../accounts/attempt-limit.ts';
import { hashPassword } from '../accounts/password-hash.ts';
import {
  findResetLinkUser,
  issueResetLink,
  readLastResetLinkTime,
  removeResetLinks,
  useResetLink,
} from '../accounts/password-reset-store.ts';
import {
  findUserById,
  findUserByLogin,
  getCaller,
  lockUser,
  setPassword,
} from '../accounts/user-store.ts';
import { assertStrongPassword } from '../accounts/weak-password.ts';
import { readApiKeys } from '../api-keys/api-key-store.ts';
import { endKeys } from '../api-keys/api-keys.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { SignInParts } from './sign-in-routes.ts';

export function ownPasswordRoutes(
  route: RouteRegistrar,
  { database, sessions, clock }: SignInParts,
): void {
  route(passwordPolicyEndpoint, () => readPasswordPolicy(database));

  route(changePasswordEndpoint, async (request) => {
    const { oldPassword, newPassword, endApiKeys = false } = request.body;
    const account = await getCaller(database, requireUser(request).id);
    const { user, passwordHash } = account;
    // Refused attempts are recorded too.
    request.changed({ subject: `password of user ${user.name}` });
    const { address } = request;
    await checkPassword(database, { account, password: oldPassword, address, now: clock() });
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

const minute = 60_000;
const linkTtlMs = 30 * minute;
/** Minimum time between two emails to a person, which would only fill the mailbox. */
const minMailIntervalMs = minute;

type PasswordResetParts = Pick<
  PlatformContext,
  'database' | 'clock' | 'log' | 'baseUrl' | 'sendMail'
> & { readonly sessions: Sessions };

const reply = {
  message:
    'If the address belongs to an account, we have sent it an email with a link. The link is valid for 30 minutes.',
};

export function passwordResetRoutes(
  route: RouteRegistrar,
  { database, sessions, clock, log, baseUrl, sendMail }: PasswordResetParts,
): void {
  route(forgotPasswordEndpoint, async ({ body: { email } }) => {
    // Only known addresses take time, so the work runs after the reply and the timing reveals nothing.
    void sendLink(email, baseUrl()).catch((error: unknown) =>
      log.warn({ err: error }, 'a link to reset a password was not sent'),
    );
    return reply;
  });

  route(resetLinkEndpoint, async ({ params: { id } }) => {
    const { user } = await findLinkUser(id);
    const apiKeys = (await readApiKeys(database, user.id)).map(({ name }) => name);
    return { name: user.name, policy: await readPasswordPolicy(database), apiKeys };
  });

  route(resetPasswordEndpoint, async ({ params: { id }, body, changed: recordChange }) => {
    const { newPassword, endApiKeys = false } = body;
    const { user, passwordHash } = await findLinkUser(id);
    // Refused attempts are recorded too.
    recordChange({ subject: `password of user ${user.name}`, by: user });
    assertStrongPassword(await readPasswordPolicy(database), newPassword, user);
    const newHash = await hashPassword(newPassword);
    const changed = await sessions.endAllForUser(user.id, async (transaction) => {
      // Lock the user first, as every transaction that ends links does: another order could deadlock.
      if (!(await setPassword(transaction, user.id, passwordHash, newHash))) return false;
      if (!(await useResetLink(transaction, id, clock()))) throw invalidLink();
      // Users who forgot their password have often failed too many times before.
      await clearUserAttempts(transaction, user);
      if (endApiKeys) await endKeys(transaction, user, recordChange);
      return true;
    });
    if (!changed) throw invalidLink();
    log.info({ user: user.name }, 'a password was reset by a link');
    return { message: 'Password has been reset successfully.' as const };
  });

  async function sendLink(email: string, base: string): Promise<void> {
    const known = await findUserByLogin(database, email);
    if (known === null || known.user.email === '') return;
    const now = clock();
    const id = await database.transaction(async (session) => {
      if (!(await lockUser(session, known.user.id))) return null;
      const last = await readLastResetLinkTime(session, known.user.id);
      if (last !== null && now - last < minMailIntervalMs) return null;
      return issueResetLink(session, known.user.id, now, linkTtlMs);
    });
    if (id === null) return;
    await sendMail({
      kind: 'Password reset',
      recipient: known.user.email,
      subject: 'Reset your Patch Repository password',
      body: resetMail(known.user.name, `${base}/reset-password/${id}`),
    });
  }

  async function findLinkUser(id: string) {
    const userId = await findResetLinkUser(database, id, clock());
    const known = userId === null ? null : await findUserById(database, userId);
    if (known === null) throw invalidLink();
    return known;
  }
}

const invalidLink = () =>
  new AppError(
    'reset_link_over',
    'This link has been used or has expired. Request a new one on the login page.',
  );

function resetMail(name: string, link: string): string {
  return [
    `Hello ${name},`,
    '',
    'a password reset was requested for your Patch Repository account. To choose a new password, open this link within 30 minutes:',
    '',
    link,
    '',
    'If this was not you, ignore this email: your password stays unchanged, and the link expires.',
    '',
  ].join('\n');
}
