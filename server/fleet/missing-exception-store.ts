/** Missing records that an administrator accepts until a date, for one machine or for all machines of a client. */
import { z } from 'zod';
import type { Queryable } from '../platform/database/database.ts';
import { queryRows } from '../platform/database/query-rows.ts';

/** The exceptions that hold at one moment, by the number of the missing record. */
export class ActiveExceptions {
  readonly #covered: ReadonlySet<string>;

  /** `machineId` null: all machines of the client. */
  constructor(
    rows: readonly {
      readonly clientId: number;
      readonly machineId: number | null;
      readonly missingId: number;
    }[],
  ) {
    this.#covered = new Set(
      rows.map(
        ({ clientId, machineId, missingId }) => `${clientId} ${machineId ?? ''} ${missingId}`,
      ),
    );
  }

  get isEmpty(): boolean {
    return this.#covered.size === 0;
  }

  covers(clientId: number, machineId: number, missingId: number): boolean {
    if (this.#covered.size === 0) return false;
    return (
      this.#covered.has(`${clientId} ${machineId} ${missingId}`) ||
      this.#covered.has(`${clientId}  ${missingId}`)
    );
  }
}

const ActiveRow = z.object({
  client_id: z.number(),
  machine_id: z.number().nullable(),
  missing_id: z.number(),
});

export async function activeExceptions(
  database: Queryable,
  now: number,
): Promise<ActiveExceptions> {
  const rows = await queryRows(
    database,
    ActiveRow,
    `select client_id, machine_id, missing_record.id as missing_id from missing_exception
     join missing_record using (list, record_id) where until > $1`,
    [now],
  );
  return new ActiveExceptions(
    rows.map(({ client_id, machine_id, missing_id }) => ({
      clientId: client_id,
      machineId: machine_id,
      missingId: missing_id,
    })),
  );
}
