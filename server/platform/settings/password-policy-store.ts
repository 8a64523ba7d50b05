/** Returns the password policy, or the default until administrators set one. */
import {
  defaultPasswordPolicy,
  PasswordPolicy,
} from '@patch/contract/form-rules/password-rules.ts';
import type { Queryable } from '../database/database.ts';
import { ValueRow } from '../database/plain-rows.ts';
import { queryRows } from '../database/query-rows.ts';

export async function readPasswordPolicy(database: Queryable): Promise<PasswordPolicy> {
  const rows = await queryRows(
    database,
    ValueRow,
    "select value from settings where name = 'password_policy'",
  );
  if (rows[0] === undefined) return defaultPasswordPolicy;
  const read = PasswordPolicy.safeParse(rows[0].value);
  if (!read.success)
    throw new Error('The setting password_policy is invalid', { cause: read.error });
  return read.data;
}
