/** Audit entries for actions of the service itself, without a user, key, client or request: recoveries, removals of old entries, and rules. */

import type { Database } from '../database/database.ts';
import type { AuditKey } from './audit-hash.ts';
import { type NewEntry, removeEntriesBefore } from './audit-store.ts';

type ServiceAction = Pick<NewEntry, 'time' | 'action' | 'subject'> &
  Partial<Pick<NewEntry, 'before' | 'after' | 'parameters'>>;

const noCaller = { userId: null, userName: null, keyName: null, clientId: null, clientName: null };
const noRequest = { address: '', requestId: '', code: '' };
const noValues = { before: null, after: null, parameters: null };

export const serviceEntry = (action: ServiceAction): NewEntry => ({
  ...noCaller,
  ...noRequest,
  ...noValues,
  outcome: 'done',
  ...action,
});

/** Actions that have no endpoint. */
export const recoveryAction = 'recover_administrator';
export const removalAction = 'audit_retention';
export const ruleAction = 'checkpoint_rule';
export const followAction = 'follow_rule';

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
