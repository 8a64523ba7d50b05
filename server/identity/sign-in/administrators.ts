/**
 * Creates the first administrator of a service without users, one although several processes start at once, and recovers an
 * administrator at the terminal of the machine.
 */
import { brokenPasswordRules } from '@patch/contract/form-rules/password-rules.ts';
import type { AuditKey } from '../../platform/audit/audit-hash.ts';
import { addEntries } from '../../platform/audit/audit-store.ts';
import { recoveryAction, serviceEntry } from '../../platform/audit/service-entry.ts';
import type { Database } from '../../platform/database/database.ts';
import { StartupError } from '../../platform/errors/startup-error.ts';
import { readPasswordPolicy } from '../../platform/settings/settings-store.ts';
import { clearUserAttempts } from '../accounts/attempt-limit.ts';
import { generatePassword, hashPassword } from '../accounts/password-hash.ts';
import { createUser, findUserByLogin, hasUsers, lockUsers } from '../accounts/user-store.ts';
import { guessableReason } from '../accounts/weak-password.ts';
import { deleteUserSessions } from '../sessions/session-store.ts';
import { removeSecondFactors } from '../two-factor/two-factor-store.ts';
import {
  assignPassword,
  makeAdministrator,
  readAdministratorNames,
} from '../users/user-list-store.ts';

export interface FirstAdministrator {
  readonly name: string;
  /** Null when the environment sets the password. */
  readonly generatedPassword: string | null;
  /** The rules that the password from the environment breaks; it is accepted nevertheless. */
  readonly brokenRules: readonly string[];
}

/**
 * Returns null when there are users already. The generated password is only in the result and must be changed at first sign-in.
 */
export async function createFirstAdministrator(
  database: Database,
  given: { readonly adminEmail: string | null; readonly adminPassword: string | null },
  now: number,
): Promise<FirstAdministrator | null> {
  if (await hasUsers(database)) return null;
  const generatedPassword = given.adminPassword === null ? generatePassword() : null;
  const password = given.adminPassword ?? generatedPassword ?? '';
  // Hash before the transaction, which locks the users.
  const passwordHash = await hashPassword(password);
  const created = await database.transaction(async (transaction) => {
    await lockUsers(transaction);
    if (await hasUsers(transaction)) return false;
    await createUser(transaction, {
      name: 'admin',
      email: given.adminEmail ?? '',
      userType: 'Admin',
      passwordHash,
      mustChangePassword: generatedPassword !== null,
      createdTime: now,
    });
    return true;
  });
  if (!created) return null;
  const policy = await readPasswordPolicy(database);
  if (generatedPassword !== null) return { name: 'admin', generatedPassword, brokenRules: [] };
  const guessable = guessableReason(password, { name: 'admin', email: given.adminEmail ?? '' });
  const brokenRules = [
    ...brokenPasswordRules(policy, password).map((rule) => rule.label),
    ...(guessable === null ? [] : [guessable]),
  ];
  return { name: 'admin', generatedPassword, brokenRules };
}

export interface Recovered {
  readonly name: string;
  readonly password: string;
}

/**
 * Makes the person an administrator with a generated password that must be changed at the next sign-in, removes their second
 * factor and ends their sessions. API keys stay.
 * @throws StartupError with the administrators' names when the person does not exist.
 */
export async function recoverAdministrator(
  database: Database,
  key: AuditKey,
  login: string,
  now: number,
): Promise<Recovered> {
  const password = generatePassword();
  const passwordHash = await hashPassword(password);
  const { user, hadSecondFactor } = await database.transaction(async (session) => {
    await lockUsers(session);
    const known = await findUserByLogin(session, login);
    if (known === null)
      throw new StartupError(
        `No user has the name or address '${login}'. ${await describeAdministrators(session)}`,
      );
    const { id } = known.user;
    await assignPassword(session, id, passwordHash);
    await makeAdministrator(session, id);
    await deleteUserSessions(session, id);
    await clearUserAttempts(session, known.user);
    return { user: known.user, hadSecondFactor: await removeSecondFactors(session, id) };
  });
  const { name, userType } = user;
  await addEntries(database, key, [
    serviceEntry({
      time: now,
      action: recoveryAction,
      subject: `user ${name}`,
      before: JSON.stringify({ userType, secondFactor: hadSecondFactor }),
      after: JSON.stringify({ userType: 'Admin', secondFactor: false, password: 'changed' }),
    }),
  ]);
  return { name, password };
}

/** Returns 'Administrators: admin, jane.' */
export async function describeAdministrators(database: Pick<Database, 'query'>): Promise<string> {
  const names = await readAdministratorNames(database);
  return names.length === 0 ? 'There is no administrator.' : `Administrators: ${names.join(', ')}.`;
}
