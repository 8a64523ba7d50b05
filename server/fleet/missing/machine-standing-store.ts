/** Reads of one machine the parts of its inventory, when it was judged, and the missing records that are accepted for it. */
import type { AcceptedMissing } from '@patch/contract/machine-endpoints.ts';
import { z } from 'zod';
import { toRecordKey } from '../../machines/machine-records-store.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { concernsMachine } from '../judgement/missing-exception-store.ts';
import { clientOfMachine } from '../machines/machine-number.ts';
import { decodeNumbers } from '../parts/number-set.ts';
import { Bytes } from '../parts/waiting-set-store.ts';

export interface MachineStanding {
  /** The parts of its inventory. */
  readonly parts: readonly number[];
  readonly judgedOn: number | null;
  readonly reportedOn: number;
  readonly notJudged: boolean;
  /** By the key of the record. */
  readonly accepted: ReadonlyMap<string, AcceptedMissing>;
}

const StandingRow = z.object({
  parts: Bytes,
  judged_on: z.number().nullable(),
  not_judged: z.boolean(),
  created_time: z.number(),
});

/**
 * Returns null for a machine that does not exist.
 * @param now The time at which exceptions must be valid.
 */
export async function readMachineStanding(
  database: Queryable,
  id: number,
  now: number,
): Promise<MachineStanding | null> {
  const clientId = clientOfMachine(id);
  const [machine] = await queryRows(
    database,
    StandingRow,
    `select parts, judged_on, not_judged, created_time from machine join machine_standing using (client_id, id)
     where client_id = $1 and id = $2`,
    [clientId, id],
  );
  if (machine === undefined) return null;
  return {
    parts: decodeNumbers(machine.parts),
    judgedOn: machine.judged_on,
    reportedOn: machine.created_time,
    notJudged: machine.not_judged,
    accepted: await readAccepted(database, clientId, id, now),
  };
}

const AcceptedRow = z.object({
  id: z.number(),
  machine_id: z.number().nullable(),
  list: z.string(),
  record_id: z.number(),
  until: z.number(),
  reason: z.string(),
  created_by: z.string(),
});

async function readAccepted(
  database: Queryable,
  clientId: number,
  machineId: number,
  now: number,
): Promise<ReadonlyMap<string, AcceptedMissing>> {
  const rows = await queryRows(
    database,
    AcceptedRow,
    `select id, machine_id, list, record_id, until, reason, created_by from missing_exception as exception
     where client_id = $1 and (machine_id = $2 or machine_id is null) and until > $3 and ${concernsMachine} order by machine_id nulls first`,
    [clientId, machineId, now],
  );
  return new Map(
    rows.map((row) => [
      toRecordKey(row.list, row.record_id),
      {
        exceptionId: row.id,
        until: row.until,
        reason: row.reason,
        by: row.created_by,
        forClient: row.machine_id === null,
      },
    ]),
  );
}
