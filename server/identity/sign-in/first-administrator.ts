/** Creates the first administrator of a service without users. Of several processes that start at once, one creates it. */
import { brokenPasswordRules } from '@patch/contract/form-rules/password-rules.ts';
import type { Database } from '../../platform/database/database.ts';
import { readPasswordPolicy } from '../../platform/settings/settings-store.ts';
import { generatePassword, hashPassword } from '../accounts/password-hash.ts';
import { createUser, hasUsers, lockUsers } from '../accounts/user-store.ts';
import { guessableReason } from '../accounts/weak-password.ts';

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
