/** Reads the database as of one moment while writes continue. */
import type { Database, Session } from '../../platform/database/database.ts';
import { useSnapshotIsolation } from './dumped-tables-store.ts';

/** @param database Without a statement timeout. */
export function withSnapshot<T>(database: Database, work: (tx: Session) => Promise<T>): Promise<T> {
  return database.transaction(async (tx) => {
    await useSnapshotIsolation(tx);
    return work(tx);
  });
}
