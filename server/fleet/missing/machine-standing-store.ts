/** Reads of one machine the parts of its inventory, when it was judged, and the missing records that are excepted on it. */
import type { MachinePlatform } from '@patch/catalogue/machines/machine.ts';
import { AcceptedMissing } from '@patch/contract/fleet/exception-endpoints.ts';
import { z } from 'zod';
import { toRecordKey } from '../../machines/machine-records-store.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { openWord } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { exceptionColumns } from '../exceptions/exception-store.ts';
import { isInEffect } from '../judgement/missing-exception-store.ts';
import { clientOfMachine } from '../machines/machine-number.ts';
import { NumberSet } from '../parts/number-set.ts';

const StandingRow = z.object({
  /** The parts of its inventory. */
  parts: NumberSet,
  judgedOn: z.number().nullable(),
  reportedOn: z.number(),
  notJudged: z.boolean(),
  platform: openWord<MachinePlatform>().nullable(),
  release: z.string().nullable(),
});

interface MachineStanding extends z.infer<typeof StandingRow> {
  /** By the key of the record. */
  readonly accepted: ReadonlyMap<string, AcceptedMissing>;
}

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
  const [[machine], accepted] = await Promise.all([
    queryRows(
      database,
      StandingRow,
      `select parts, judged_on as "judgedOn", created_time as "reportedOn", not_judged as "notJudged", platform, release
       from machine join machine_standing using (client_id, id) where client_id = $1 and id = $2`,
      [clientId, id],
    ),
    readAccepted(database, clientId, id, now),
  ]);
  return machine === undefined ? null : { ...machine, accepted };
}

const AcceptedRow = AcceptedMissing.extend({ list: z.string(), recordId: z.number() });

/** Of several exceptions for a record the one for the fewest machines is shown. */
async function readAccepted(
  database: Queryable,
  clientId: number,
  machineId: number,
  now: number,
): Promise<ReadonlyMap<string, AcceptedMissing>> {
  const rows = await queryRows(
    database,
    AcceptedRow,
    `select exception.list, exception.record_id as "recordId", ${exceptionColumns}
     from exception_target as target join missing_exception as exception on exception.id = exception_id
     left join users on users.id = owner_id
     where (target.client_id = $2 or target.client_id is null) and (target.machine_id = $3 or target.machine_id is null) and ${isInEffect}
     order by target.machine_id nulls first, target.client_id nulls first, exception.machine_id nulls first`,
    [now, clientId, machineId],
  );
  return new Map(
    rows.map(({ list, recordId, ...accepted }) => [toRecordKey(list, recordId), accepted]),
  );
}
