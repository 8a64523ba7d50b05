/** Removes entries of the audit log after the retention time, in full days, and records the removal. */
import type { Database } from '../database/database.ts';
import type { AuditKey } from './audit-key.ts';
import { removeEntriesBefore } from './audit-store.ts';
import { serviceEntry } from './service-entry.ts';

export const removalAction = 'audit_retention';
const day = 24 * 3_600_000;

/** Returns the number of removed entries. */
export async function removeOldEntries(
  database: Database,
  key: AuditKey,
  retentionDays: number,
  now: number,
): Promise<number> {
  // The limit is the beginning of a day, so that there is at most one removal, and one entry about it, each day.
  const before = (Math.floor(now / day) - retentionDays) * day;
  return removeEntriesBefore(database, key, before, ({ count, lastId }) =>
    serviceEntry({
      time: now,
      action: removalAction,
      subject: `${count} entries up to ${lastId}`,
      parameters: JSON.stringify({
        keptDays: retentionDays,
        olderThan: new Date(before).toISOString(),
      }),
    }),
  );
}
