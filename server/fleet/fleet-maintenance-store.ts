/** Deletes expired data of machines and follows the client registry, in batches, so that no transaction is long. */

import { z } from 'zod';
import type { Database, Queryable } from '../platform/database/database.ts';
import { queryRows, queryValues } from '../platform/database/query-rows.ts';
import { updateClientNames } from './intake/client-name-store.ts';
import { askForTally, deleteMachines, lockFleet } from './intake/machine-store.ts';
import { forgetSharedKeys } from './machines/machine-identity-store.ts';
import { lockParts, partDeletions } from './parts/inventory-part-store.ts';
import { readPartsWaiting } from './parts/waiting-set-store.ts';

const dayMs = 24 * 3_600_000;
/** A report is of 90 days at most. */
const patchedDays = 100;
const countedDays = 400;

interface MaintenanceResult {
  readonly deletedMachines: number;
  readonly deletedParts: number;
  readonly renamedClients: number;
}

/** @param retentionDays Machines without a report for longer are deleted. */
export async function maintainFleet(
  database: Database,
  {
    now,
    retentionDays,
    signal,
  }: { readonly now: number; readonly retentionDays: number; readonly signal: AbortSignal },
): Promise<MaintenanceResult> {
  const silentSince = now - retentionDays * dayMs;
  let deletedMachines = 0;
  for (;;) {
    signal.throwIfAborted();
    const due = await readMachinesToDelete(database, silentSince);
    if (due.length === 0) break;
    for (const [clientId, machines] of Map.groupBy(due, ({ client_id }) => client_id))
      deletedMachines += await database.transaction(async (tx) => {
        await lockFleet(tx, machines[0]?.id ?? 0);
        return deleteMachines(
          tx,
          clientId,
          machines.map(({ id }) => id),
        );
      });
  }
  if (deletedMachines > 0) await askForTally(database);
  await database.transaction((tx) => forgetSharedKeys(tx, now));
  await database.query('delete from machine_patched where day < $1', [now - patchedDays * dayMs]);
  await database.query('delete from fleet_day where day < $1', [now - countedDays * dayMs]);
  const renamedClients = await updateClientNames(database);
  return { deletedMachines, renamedClients, deletedParts: await deleteUnused(database, signal) };
}

const batchMachines = 200;
const batchParts = 5000;

const DueRow = z.object({ client_id: z.number(), id: z.number() });

/** Returns silent machines, and machines of clients that may no longer report. Reads all partitions. */
async function readMachinesToDelete(database: Queryable, silentSince: number) {
  return queryRows(
    database,
    DueRow,
    `(select client_id, id from machine_standing where last_seen < $1 order by last_seen, id limit ${batchMachines})
     union (select client_id, id from machine_standing where client_id in (
       select client_id from fleet_client where not exists(
         select from reporting_fleet where reporting_fleet.id = fleet_client.client_id)) limit ${batchMachines})`,
    [silentSince],
  );
}

/** Makes caches of part ids invalid. */
async function recordDeletion(tx: Queryable): Promise<void> {
  await tx.query(
    `insert into list_revision as current (list, revision, listed) values ($1, 1, 0)
     on conflict (list) do update set revision = current.revision + 1`,
    [partDeletions],
  );
}

/** Deletes parts that no machine has any more, and records that no part misses. */
async function deleteUnused(database: Database, signal: AbortSignal): Promise<number> {
  let deleted = 0;
  for (let above = 0; ; ) {
    signal.throwIfAborted();
    const parts = await queryValues(
      database,
      z.number(),
      `select id from inventory_part where id > $1 order by id limit ${batchParts}`,
      [above],
    );
    const last = parts.at(-1);
    if (last === undefined) break;
    deleted += await database.transaction(async (tx) => {
      await lockParts(tx, 'alone');
      // Read before the sets: waiting sets may be merged meanwhile, but none are added.
      const waiting = await readPartsWaiting(tx, above, last);
      const { count } = await tx.query(
        `delete from inventory_part where id > $1 and id <= $2 and id <> all($3::int[])
           and not exists (select from part_machines where part_machines.part_id = inventory_part.id)`,
        [above, last, waiting],
      );
      if (count > 0) await recordDeletion(tx);
      return count;
    });
    above = last;
  }
  await database.query(
    `delete from missing_record where not exists (select from part_missing where missing_id = missing_record.id)`,
  );
  return deleted;
}
