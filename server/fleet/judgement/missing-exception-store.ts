/** Stores missing records that an administrator accepts until a date, for one machine or for all machines of a client. */
import { z } from 'zod';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows, queryValues } from '../../platform/database/query-rows.ts';
import { markRecords } from './standing-refresh-store.ts';

const ActiveRow = z.object({
  clientId: z.number(),
  machineId: z.number().nullable(),
  missingId: z.number(),
});
type ActiveRow = z.infer<typeof ActiveRow>;

/** The exceptions that are valid at one moment. */
export class ActiveExceptions {
  readonly #covered: ReadonlySet<string>;
  readonly #records: ReadonlySet<number>;

  /** A `machineId` of null stands for all machines of the client. */
  constructor(rows: readonly ActiveRow[]) {
    this.#covered = new Set(
      rows.map(
        ({ clientId, machineId, missingId }) => `${clientId} ${machineId ?? ''} ${missingId}`,
      ),
    );
    this.#records = new Set(rows.map(({ missingId }) => missingId));
  }

  /** Returns whether any machine or client accepts the record. */
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
    if (this.#covered.size === 0) return false;
    return (
      this.#covered.has(`${clientId} ${machineId} ${missingId}`) ||
      this.#covered.has(`${clientId}  ${missingId}`)
    );
  }
}

/**
 * SQL condition on the table `exception`: it applies to all machines of the client, or to the machine that reports the key now.
 */
export const concernsMachine = `(machine_id is null or exception.identity = (select identity from machine_standing
  where machine_standing.client_id = exception.client_id and machine_standing.id = machine_id))`;

export async function readActiveExceptions(
  database: Queryable,
  now: number,
): Promise<ActiveExceptions> {
  const rows = await queryRows(
    database,
    ActiveRow,
    `select exception.client_id as "clientId", machine_id as "machineId", missing_record.id as "missingId" from missing_exception as exception
     join missing_record using (list, record_id) where until > $1 and ${concernsMachine}`,
    [now],
  );
  return new ActiveExceptions(rows);
}

export interface NewException {
  readonly clientId: number;
  /** Null: all machines of the client. */
  readonly machineId: number | null;
  readonly list: string;
  readonly recordId: number;
  readonly until: number;
  readonly reason: string;
  readonly by: string;
}

/** Returns the id of the exception. Replaces one for the same record and the same machine or client. */
export async function addException(
  tx: Queryable,
  { clientId, machineId, list, recordId, until, reason, by }: NewException,
  now: number,
): Promise<number> {
  const [id = 0] = await queryValues(
    tx,
    z.number(),
    `insert into missing_exception (client_id, machine_id, identity, list, record_id, until, reason, created_by, created_time)
     values ($1, $2, coalesce((select identity from machine_standing where client_id = $1 and id = $2), 0), $3, $4, $5, $6, $7, $8)
     on conflict (client_id, coalesce(machine_id, 0), identity, list, record_id) do update set until = excluded.until, reason = excluded.reason,
       created_by = excluded.created_by, created_time = excluded.created_time, ended = false returning id`,
    [clientId, machineId, list, recordId, until, reason, by, now],
  );
  await countAgain(tx, list, recordId);
  return id;
}

const EndedRow = z.object({
  client_id: z.number(),
  machine_id: z.number().nullable(),
  list: z.string(),
  record_id: z.number(),
  until: z.number(),
  reason: z.string(),
});
export type EndedException = z.infer<typeof EndedRow>;

/** Returns null when the exception does not exist. */
export async function deleteException(tx: Queryable, id: number): Promise<EndedException | null> {
  const [row] = await queryRows(
    tx,
    EndedRow,
    'delete from missing_exception where id = $1 returning client_id, machine_id, list, record_id, until, reason',
    [id],
  );
  if (row === undefined) return null;
  await countAgain(tx, row.list, row.record_id);
  return row;
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
    `select distinct missing_record.id from missing_exception join missing_record using (list, record_id)
     where client_id = $1 and machine_id = any($2::bigint[]) and not ended`,
    [clientId, arrayText(machineIds)],
  );
  await markRecords(tx, records);
}

async function countAgain(tx: Queryable, list: string, recordId: number): Promise<void> {
  const records = await queryValues(
    tx,
    z.number(),
    'select id from missing_record where list = $1 and record_id = $2',
    [list, recordId],
  );
  await markRecords(tx, records);
}
