/** Takes entries out of the audit log when their time is over, a whole day's at a time, and writes down that it did. */
import type { Database } from '../database/database.ts';
import type { AuditKey } from './audit-key.ts';
import { removeEntriesBefore } from './audit-store.ts';
import { serviceEntry } from './service-entry.ts';

export const removalAction = 'audit_retention';
const day = 24 * 3_600_000;

/** Answers how many went. */
export async function removeOldEntries(
  database: Database,
  key: AuditKey,
  keptDays: number,
  now: number,
): Promise<number> {
  // To the beginning of a day, so that it is done, and written down, once a day at most.
  const before = (Math.floor(now / day) - keptDays) * day;
  return removeEntriesBefore(database, key, before, ({ count, lastId }) =>
    serviceEntry({
      time: now,
      action: removalAction,
      subject: `${count} entries up to ${lastId}`,
      parameters: JSON.stringify({ keptDays, olderThan: new Date(before).toISOString() }),
    }),
  );
}
