/** The dependencies of the steps of a round of the standing judgement. */
import type { Database, Queryable } from '../../platform/database/database.ts';

export interface FleetWork {
  readonly database: Database;
  readonly signal: AbortSignal;
  /** Runs first in each writing transaction. Throws when another worker has taken over. */
  readonly keepLease: (tx: Queryable) => Promise<void>;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}
