/** Gives a person who can no longer sign in another password and makes them an administrator, at the terminal of the machine. */
import type { AuditKey } from '../../platform/audit/audit-key.ts';
import { addEntries } from '../../platform/audit/audit-store.ts';
import { recoveryAction } from '../../platform/audit/recovery-action.ts';
import { serviceEntry } from '../../platform/audit/service-entry.ts';
import { StartupError } from '../../platform/config/startup-error.ts';
import type { Database } from '../../platform/database/database.ts';
import { NameRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { generatePassword } from '../accounts/generated-password.ts';
import { hashPassword } from '../accounts/password-hash.ts';
import { forgetAttemptsOf } from '../accounts/sign-in-limits.ts';
import { findUserByLogin, lockUsers } from '../accounts/user-store.ts';
import { deleteSessionsOf } from '../sessions/session-store.ts';
import { removeSecondFactors } from '../two-factor/two-factor-store.ts';
import { assignPassword } from '../users/user-list-store.ts';

export interface Recovered {
  readonly name: string;
  readonly password: string;
}

/**
 * Gives the person a generated password, which they change at the next sign-in; makes them an administrator, removes their second
 * factor and ends their sessions. Their API keys stay. Throws a StartupError that names the administrators when nobody has that name.
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
        `There is no user with the name or address '${login}'. ${await administratorsInWords(session)}`,
      );
    const { id } = known.user;
    await assignPassword(session, id, passwordHash);
    await session.query("update users set user_type = 'Admin' where id = $1", [id]);
    await deleteSessionsOf(session, id);
    await forgetAttemptsOf(session, known.user);
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

/** 'Administrators: admin, jane.' */
export async function administratorsInWords(database: Pick<Database, 'query'>): Promise<string> {
  const rows = await queryRows(
    database,
    NameRow,
    "select name from users where user_type = 'Admin' order by name_folded",
  );
  return rows.length === 0
    ? 'There is no administrator.'
    : `Administrators: ${rows.map(({ name }) => name).join(', ')}.`;
}
