/**
 * Reads of one machine the parts of its inventory, when it was judged, and the missing records that are accepted for it; and those of a
 * client and its machines.
 */
import type { AcceptedMissing, ClientException } from '@patch/contract/machine-endpoints.ts';
import { z } from 'zod';
import { readShownRecords, toRecordKey } from '../../machines/machine-records-store.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { concernsMachine } from '../judgement/missing-exception-store.ts';
import { clientOfMachine } from '../machines/machine-number.ts';
import { NumberSet } from '../parts/number-set.ts';

const StandingRow = z.object({
  /** The parts of its inventory. */
  parts: NumberSet,
  judgedOn: z.number().nullable(),
  reportedOn: z.number(),
  notJudged: z.boolean(),
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
      `select parts, judged_on as "judgedOn", created_time as "reportedOn", not_judged as "notJudged"
       from machine join machine_standing using (client_id, id) where client_id = $1 and id = $2`,
      [clientId, id],
    ),
    readAccepted(database, clientId, id, now),
  ]);
  return machine === undefined ? null : { ...machine, accepted };
}

const AcceptedRow = z.object({
  list: z.string(),
  recordId: z.number(),
  exceptionId: z.number(),
  until: z.number(),
  reason: z.string(),
  by: z.string(),
  forClient: z.boolean(),
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
    `select list, record_id as "recordId", id as "exceptionId", until, reason, created_by as by, machine_id is null as "forClient"
     from missing_exception as exception
     where client_id = $1 and (machine_id = $2 or machine_id is null) and until > $3 and ${concernsMachine} order by machine_id nulls first`,
    [clientId, machineId, now],
  );
  return new Map(
    rows.map(({ list, recordId, ...accepted }) => [toRecordKey(list, recordId), accepted]),
  );
}

const ExceptionRow = z.object({
  exceptionId: z.number(),
  list: z.string(),
  recordId: z.number(),
  machineId: z.number().nullable(),
  machine: z.string().nullable(),
  until: z.number(),
  reason: z.string(),
  by: z.string(),
  total: z.number(),
});

/** Returns the exceptions that are valid at `now`. */
export async function readClientExceptions(
  database: Queryable,
  clientId: number,
  now: number,
  { offset, size }: { readonly offset: number; readonly size: number },
): Promise<{ readonly objList: ClientException[]; readonly totalCount: number }> {
  const rows = await queryRows(
    database,
    ExceptionRow,
    `select missing_exception.id as "exceptionId", list, record_id as "recordId", machine_id as "machineId",
       coalesce(machine.name, machine.machine_key) as machine, until, reason, created_by as by, count(*) over () as total
     from missing_exception
     left join machine on machine.client_id = missing_exception.client_id and machine.id = machine_id
     where missing_exception.client_id = $1 and until > $2
     order by until, missing_exception.id offset $3 limit $4`,
    [clientId, now, offset, size],
  );
  const shown = await readShownRecords(database, rows);
  return {
    objList: rows.map(({ total: _total, ...exception }) => {
      const record = shown.get(toRecordKey(exception.list, exception.recordId));
      return {
        ...exception,
        identifier: record?.identifier ?? null,
        title: record?.title ?? null,
      };
    }),
    totalCount: rows[0]?.total ?? 0,
  };
}
