/** Recovers an administrator account at the terminal of the machine. */
import type { AuditKey } from '../../platform/audit/audit-hash.ts';
import { addEntries } from '../../platform/audit/audit-store.ts';
import { recoveryAction, serviceEntry } from '../../platform/audit/service-entry.ts';
import type { Database } from '../../platform/database/database.ts';
import { StartupError } from '../../platform/errors/startup-error.ts';
import { clearUserAttempts } from '../accounts/attempt-limit.ts';
import { generatePassword, hashPassword } from '../accounts/password-hash.ts';
import { findUserByLogin, lockUsers } from '../accounts/user-store.ts';
import { deleteUserSessions } from '../sessions/session-store.ts';
import { removeSecondFactors } from '../two-factor/two-factor-store.ts';
import {
  assignPassword,
  makeAdministrator,
  readAdministratorNames,
} from '../users/user-list-store.ts';

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
