/** Records sent licence expiry warnings and reads the administrators' addresses. */
import { z } from 'zod';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

/**
 * Returns false if any process has already sent the warning. A licence with a new expiry date gets
 * new warnings.
 */
export async function noteWarning(
  tx: Queryable,
  {
    id,
    licenseExpiry,
    days,
    now,
  }: {
    readonly id: number;
    readonly licenseExpiry: number;
    readonly days: number;
    readonly now: number;
  },
): Promise<boolean> {
  const { count } = await tx.query(
    `insert into licence_warning (client_id, license_expiry, days, warned_time) values ($1, $2, $3, $4) on conflict do nothing`,
    [id, licenseExpiry, days, now],
  );
  return count === 1;
}

const EmailRow = z.object({ email: z.string() });

/** Returns the addresses of all administrators who have one. */
export async function readAdministratorAddresses(database: Queryable): Promise<readonly string[]> {
  const rows = await queryRows(
    database,
    EmailRow,
    `select email from users where user_type = 'Admin' and email <> '' order by id`,
  );
  return rows.map(({ email }) => email);
}
