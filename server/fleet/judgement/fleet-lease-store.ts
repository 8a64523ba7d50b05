/** Stores the lease by which one process at a time judges the machines, and the rules of the last judgement. */

import { z } from 'zod';
import { maxClockSkewMs } from '../../platform/database/clock-skew.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { leaseEnded } from '../../platform/queues/leased-row-store.ts';

/** The dependencies of the steps of a round of the standing judgement. */
export interface FleetWork {
  readonly database: Database;
  readonly signal: AbortSignal;
  /** Runs first in each writing transaction. Throws when another worker has taken over. */
  readonly keepLease: (tx: Queryable) => Promise<void>;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

const leaseMs = 60_000;

/**
 * Returns false while another process has the lease. A lease that ends too far in the future, from a clock that was set back, is
 * ignored.
 */
export async function takeLease(
  database: Queryable,
  holder: string,
  now: number,
): Promise<boolean> {
  const { count } = await database.query(
    `update fleet_worker set holder = $1, until = $3 where holder = $1 or ${leaseEnded('until', '$2', leaseMs + maxClockSkewMs)}`,
    [holder, now, now + leaseMs],
  );
  return count > 0;
}

/** Locks the lease until the transaction ends: of two workers that both assume to have it, one writes. */
export async function extendLease(tx: Queryable, holder: string, now: number): Promise<boolean> {
  const { count } = await tx.query('update fleet_worker set until = $2 where holder = $1', [
    holder,
    now + leaseMs,
  ]);
  return count > 0;
}

export async function endLease(database: Queryable, holder: string): Promise<void> {
  await database.query('update fleet_worker set until = 0 where holder = $1', [holder]);
}

/** Returns true when the parts were judged by other rules so far. */
export async function takeRules(tx: Queryable, rules: string): Promise<boolean> {
  const { count } = await tx.query('update fleet_worker set rules = $1 where rules <> $1', [rules]);
  return count > 0;
}

const TallyRow = z.object({ tally_due: z.boolean(), tallied_on: z.number() });

/** Returns the time of the last tally when something has changed since, or it was before the day; null otherwise. @param day Its beginning. */
export async function staleTally(database: Queryable, day: number): Promise<number | null> {
  const [row] = await queryRows(
    database,
    TallyRow,
    'select tally_due, tallied_on from fleet_worker',
  );
  return row !== undefined && (row.tally_due || row.tallied_on < day) ? row.tallied_on : null;
}
