/** Reads which missing records are excepted on which machines. Every reader of what is missing concludes from these. */
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows, queryValues } from '../../platform/database/query-rows.ts';
import { markRecords } from './standing-refresh-store.ts';

const ActiveRow = z.object({
  clientId: z.number().nullable(),
  machineId: z.number().nullable(),
  missingId: z.number(),
});
type ActiveRow = z.infer<typeof ActiveRow>;

/** The exceptions that are valid at one moment. */
export class ActiveExceptions {
  readonly #covered: ReadonlySet<string>;
  readonly #records: ReadonlySet<number>;

  /** A `machineId` of null stands for all machines of the client, a `clientId` of null for all machines. */
  constructor(rows: readonly ActiveRow[]) {
    this.#covered = new Set(
      rows.map(
        ({ clientId, machineId, missingId }) => `${clientId ?? ''} ${machineId ?? ''} ${missingId}`,
      ),
    );
    this.#records = new Set(rows.map(({ missingId }) => missingId));
  }

  /** Returns whether the record is excepted on any machine. */
  concern(missingId: number): boolean {
    return this.#records.has(missingId);
  }

  get isEmpty(): boolean {
    return this.#covered.size === 0;
  }

  equals(exceptions: ActiveExceptions): boolean {
    return (
      this.#covered.size === exceptions.#covered.size &&
      this.#covered.isSubsetOf(exceptions.#covered)
    );
  }

  covers(clientId: number, machineId: number, missingId: number): boolean {
    if (!this.#records.has(missingId)) return false;
    return (
      this.#covered.has(`${clientId} ${machineId} ${missingId}`) ||
      this.#covered.has(`${clientId}  ${missingId}`) ||
      this.#covered.has(`  ${missingId}`)
    );
  }
}

/** SQL condition on `exception_target as target`: it is for all machines, or for the machine that reports the key now. */
export const isOfPresent = `(target.machine_id is null or target.identity =
  (select identity from machine_standing where machine_standing.client_id = target.client_id and machine_standing.id = target.machine_id))`;

/**
 * SQL condition on `exception_target as target`: it is valid at the time $1, and of the present machine. An exception ends by its date
 * alone: nothing has to be done for it.
 */
export const isInEffect = `(target.until is null or target.until > $1) and ${isOfPresent}`;

export async function readActiveExceptions(
  database: Queryable,
  now: number,
): Promise<ActiveExceptions> {
  const rows = await queryRows(
    database,
    ActiveRow,
    `select client_id as "clientId", machine_id as "machineId", missing_record.id as "missingId" from exception_target as target
     join missing_record using (list, record_id) where ${isInEffect}`,
    [now],
  );
  return new ActiveExceptions(rows);
}

/** Marks the records accepted for these machines, whose keys another machine reports now. */
export async function countAcceptedAgain(
  tx: Queryable,
  clientId: number,
  machineIds: readonly number[],
): Promise<void> {
  if (machineIds.length === 0) return;
  const records = await queryValues(
    tx,
    z.number(),
    `select distinct missing_record.id from exception_target join missing_record using (list, record_id)
     where client_id = $1 and machine_id = any($2::bigint[]) and not ended`,
    [clientId, arrayText(machineIds)],
  );
  await markRecords(tx, records);
}
