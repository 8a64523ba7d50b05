/** The database as it is at one moment, readable for as long as it takes while writes continue. */
import type { Database, Session } from '../../platform/database/database.ts';
import { useSnapshotIsolation } from './dumped-tables-store.ts';

/** @param database - Without a limit on the time of a statement. */
export function withSnapshot<T>(database: Database, work: (tx: Session) => Promise<T>): Promise<T> {
  return database.transaction(async (tx) => {
    await useSnapshotIsolation(tx);
    return work(tx);
  });
}
