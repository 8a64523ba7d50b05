/**
 * Epochs tell revisions with one number apart. A restore from a dump gives the database another first epoch; a data folder or a volume
 * that is put back has its old one and no trace of what was counted after the copy, so each start of a service begins an epoch.
 */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Database, Queryable } from '../database.ts';
import { query } from '../sql-statement.ts';

const Revisions = z.record(z.string(), z.number());
const EpochsRow = z.object({
  /** The epoch of the database itself: see change_epoch. Empty when no service has started on it yet. */
  first: z.string(),
  /** Oldest first, each with the revisions at its begin. */
  started: z.array(z.object({ epoch: z.string(), revisions: Revisions })),
});
export type Epochs = Readonly<z.infer<typeof EpochsRow>>;

/** The counter of events beside those of the lists. */
export const eventCounter = 'event';

export const readEpochs = (database: Queryable): Promise<Epochs> =>
  query.requiredRow(database, EpochsRow)`
    select coalesce((select epoch from change_epoch), '') as first,
      (select coalesce(json_agg(json_build_object('epoch', epoch, 'revisions', revisions) order by id), '[]') from started_epoch) as started`;

/** Returns the epoch in which a revision was written. @param counter - The key of a list, or `eventCounter`. */
export const epochOf = ({ first, started }: Epochs, counter: string, revision: number): string =>
  started.findLast(({ revisions }) => (revisions[counter] ?? 0) < revision)?.epoch ?? first;

/** Begins an epoch. One in which nothing was written is replaced: no revision is of it. */
export async function beginEpoch(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    // Waits for running writers, so that no revision of theirs is counted to the new epoch after it was given out.
    await query.run(tx)`lock table list_revision, event_order in share mode`;
    await query.run(tx)`
      with now as (
        select (select coalesce(jsonb_object_agg(list, revision), '{}') from list_revision)
          || jsonb_build_object(${eventCounter}::text, (select last_number from event_order)) as revisions
      ), unused as (
        delete from started_epoch using now
        where id = (select max(id) from started_epoch) and started_epoch.revisions = now.revisions
      )
      insert into started_epoch (epoch, revisions)
      select ${randomBytes(6).toString('hex')}, revisions from now`;
  });
}
