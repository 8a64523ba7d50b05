/** Administrators' routes for users. At least one administrator always remains, and no one locks themselves out. */

import { randomBytes } from 'node:crypto';
import type { SignedInUser } from '@patch/contract/accounts/sign-in-endpoints.ts';
import {
  changeOwnProfileEndpoint,
  changeUserEndpoint,
  createUserEndpoint,
  deleteUserEndpoint,
  inviteUserEndpoint,
  type User,
  userOptionsEndpoint,
  usersEndpoint,
} from '@patch/contract/accounts/user-endpoints.ts';
import type { UserSort } from '@patch/contract/accounts/user-sorts.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { requireUser } from '../../platform/http/require-user.ts';
import type { RouteRegistrar } from '../../platform/http/route.ts';
import { readPasswordPolicy } from '../../platform/settings/settings-store.ts';
import { clearUserAttempts } from '../accounts/attempt-limit.ts';
import { hashPassword } from '../accounts/password-hash.ts';
import { removeResetLinks } from '../accounts/password-reset-store.ts';
import { createUser, lockUsers, noSuchUser } from '../accounts/user-store.ts';
import { assertStrongPassword } from '../accounts/weak-password.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { assertInvitable, type InvitationParts, invite } from './invitation.ts';
import {
  assignPassword,
  changeUser,
  countAdministrators,
  findTaken,
  findUnknownGroups,
  type ListedUser,
  readListedUser,
  readUsersPage,
  removeUser,
  userOptions,
} from './user-list-store.ts';

export interface UserParts extends Omit<InvitationParts, 'invitedBy'> {
  readonly database: Database;
  readonly sessions: Pick<Sessions, 'endAllForUser' | 'forget'>;
}

export function userRoutes(
  route: RouteRegistrar,
  { database, sessions, ...mailing }: UserParts,
): void {
  const { clock, onMail } = mailing;

  route(usersEndpoint, async (request) => {
    const { sort, ...page } = request.query;
    const { keyword } = request.body;
    const descending = sort.startsWith('-');
    const { rows, total } = await readUsersPage(database, {
      ...page,
      keyword,
      descending,
      sort: sort.replace(/^-/, '') as UserSort,
    });
    const admins = await countAdministrators(database);
    return {
      objectList: rows.map((row) => toVisibleUser(requireUser(request), row, admins)),
      totalCount: total,
    };
  });

  route(userOptionsEndpoint, () => userOptions(database));

  route(createUserEndpoint, async (request) => {
    const { password, ...person } = request.body;
    if (password === undefined) await assertInvitable(database, person.email);
    else assertStrongPassword(await readPasswordPolicy(database), password, person);
    // An invited user gets a random password that no one knows, hashed before the transaction.
    const passwordHash = await hashPassword(password ?? randomBytes(32).toString('base64url'));
    const created = await database.transaction(async (session) => {
      await lockUsers(session);
      await refuseTaken(session, null, person);
      await assertGroups(session, person, person.machineGroups ?? []);
      const id = await createUser(session, {
        ...person,
        passwordHash,
        mustChangePassword: true,
        createdTime: clock(),
      });
      if (password === undefined)
        await invite(
          session,
          { id, ...person },
          { ...mailing, invitedBy: requireUser(request).name },
        );
      return readVisibleUser(session, requireUser(request), id);
    });
    if (password === undefined) onMail();
    request.changed({
      subject: `user ${created.name}`,
      after: { ...editableFields(created), invited: password === undefined },
    });
    return created;
  });

  changeUserRoute(route, { database, sessions });

  route(inviteUserEndpoint, async (request) => {
    const user = await database.transaction(async (session) => {
      await lockUsers(session);
      const invited = await requireListedUser(session, request.params.id);
      await assertInvitable(session, invited.email);
      await invite(session, invited, { ...mailing, invitedBy: requireUser(request).name });
      return invited;
    });
    onMail();
    request.changed({ subject: `user ${user.name}`, after: { invited: true } });
    return { message: `An invitation has been sent to ${user.email}.` };
  });

  deleteUserRoute(route, { database, sessions });
  ownProfileRoute(route, { database, sessions });
}

type UserChangeParts = Pick<UserParts, 'database' | 'sessions'>;

function changeUserRoute(route: RouteRegistrar, { database, sessions }: UserChangeParts): void {
  route(changeUserEndpoint, async (request) => {
    const { password, ...change } = request.body;
    const { id } = request.params;
    if (password !== undefined) {
      if (id === requireUser(request).id)
        throw new AppError(
          'own_password',
          'Change your own password with "Change password", which asks for the current one.',
        );
      const { name, email } = await requireListedUser(database, id);
      assertStrongPassword(await readPasswordPolicy(database), password, {
        name: change.name ?? name,
        email: change.email ?? email,
      });
    }
    const passwordHash = password === undefined ? null : await hashPassword(password);
    const after: User[] = [];
    const write = async (session: Queryable) => {
      await lockUsers(session);
      const before = await requireListedUser(session, id);
      const next = { ...editableFields(before), ...omitUndefined(change) };
      if (next.userType !== before.userType)
        await refuseTypeChange(session, requireUser(request), before);
      await refuseTaken(session, id, next);
      await assertGroups(session, next, change.machineGroups ?? []);
      await changeUser(session, id, next);
      if (passwordHash !== null) {
        await assignPassword(session, id, passwordHash);
        // Users who ask for a new password have often failed too many times before.
        await clearUserAttempts(session, before);
      }
      // The links were sent to the old address, or replace the old password.
      if (passwordHash !== null || next.email !== before.email) await removeResetLinks(session, id);
      // Read before the commit: the user may be removed right after it.
      after.push(await readVisibleUser(session, requireUser(request), id));
      request.changed({
        subject: `user ${before.name}`,
        before: editableFields(before),
        after: { ...next, ...(passwordHash !== null && { password: 'changed' }) },
      });
      return true;
    };
    const written =
      passwordHash === null ? database.transaction(write) : sessions.endAllForUser(id, write);
    await written.finally(() => sessions.forget(id));
    return after[0] as User;
  });
}

/** People may change their own name and time zone; address, type and password are changed elsewhere. */
function ownProfileRoute(route: RouteRegistrar, { database, sessions }: UserChangeParts): void {
  route(changeOwnProfileEndpoint, async (request) => {
    const { id } = requireUser(request);
    const written = database.transaction(async (tx) => {
      await lockUsers(tx);
      const before = editableFields(await requireListedUser(tx, id));
      const after = { ...before, ...omitUndefined(request.body) };
      await refuseTaken(tx, id, after);
      await changeUser(tx, id, after);
      request.changed({ subject: `user ${before.name}`, before, after });
    });
    await written.finally(() => sessions.forget(id));
    return { message: 'Your profile has been saved.' };
  });
}

function deleteUserRoute(route: RouteRegistrar, { database, sessions }: UserChangeParts): void {
  route(deleteUserEndpoint, async (request) => {
    const { id } = request.params;
    const removed = database.transaction(async (session) => {
      await lockUsers(session);
      const user = await requireListedUser(session, id);
      if (id === requireUser(request).id)
        throw new AppError('oneself', 'You cannot remove yourself. Another administrator can.');
      if (await isLastAdministrator(session, user)) throw lastAdministrator(user.name, 'removed');
      await removeUser(session, id);
      return user;
    });
    const gone = await removed.finally(() => sessions.forget(id));
    request.changed({ subject: `user ${gone.name}`, before: editableFields(gone) });
    return { message: `${gone.name} has been removed.` };
  });
}

async function readVisibleUser(
  database: Queryable,
  caller: SignedInUser,
  id: number,
): Promise<User> {
  return toVisibleUser(
    caller,
    await requireListedUser(database, id),
    await countAdministrators(database),
  );
}

function toVisibleUser(caller: SignedInUser, user: ListedUser, administrators: number): User {
  return {
    ...user,
    canDelete: user.id !== caller.id && !(user.userType === 'Admin' && administrators === 1),
  };
}

async function requireListedUser(database: Queryable, id: number): Promise<ListedUser> {
  const user = await readListedUser(database, id);
  if (user === null) throw noSuchUser();
  return user;
}

async function refuseTaken(
  session: Queryable,
  id: number | null,
  person: { readonly name: string; readonly email: string },
) {
  const taken = await findTaken(session, id, person);
  if (taken === 'name')
    throw new AppError(
      'name_taken',
      `The name '${person.name}' is already taken. Choose another name.`,
    );
  if (taken === 'email')
    throw new AppError(
      'email_taken',
      `The address ${person.email} is already used by another user.`,
    );
}

/**
 * @param named The groups that the request names. Others may have been removed since.
 * @throws AppError `invalid_input` for groups of an administrator, `no_such_group` for groups that do not exist.
 */
async function assertGroups(
  tx: Queryable,
  { userType, machineGroups }: Pick<ListedUser, 'userType' | 'machineGroups'>,
  named: readonly number[],
): Promise<void> {
  if (userType === 'Admin' && machineGroups !== null)
    throw new AppError(
      'invalid_input',
      'machineGroups must be null for an administrator, who sees all machines.',
    );
  const unknown = await findUnknownGroups(tx, named);
  if (unknown.length > 0)
    throw new AppError('no_such_group', `Group ${unknown.join(', ')} does not exist.`);
}

async function refuseTypeChange(
  session: Queryable,
  caller: SignedInUser,
  user: ListedUser,
): Promise<void> {
  if (await isLastAdministrator(session, user)) throw lastAdministrator(user.name, 'made Standard');
  if (user.id === caller.id)
    throw new AppError('own_type', 'You cannot change your own type. Another administrator can.');
}

async function isLastAdministrator(session: Queryable, { userType }: ListedUser): Promise<boolean> {
  return userType === 'Admin' && (await countAdministrators(session)) === 1;
}

const lastAdministrator = (name: string, what: string) =>
  new AppError(
    'last_administrator',
    `${name} is the last administrator and cannot be ${what}. Make another user an administrator first.`,
  );

/** Returns the fields that an administrator can set. */
const editableFields = ({ name, email, userType, machineGroups, timezone }: ListedUser) => ({
  name,
  email,
  userType,
  machineGroups,
  timezone,
});

function omitUndefined<Fields extends object>(
  change: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(
    Object.entries(change).filter(([, value]) => value !== undefined),
  ) as never;
}
