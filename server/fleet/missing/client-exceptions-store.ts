/** Reads the accepted missing records of a client and its machines, for the client's page. */
import type { ClientException } from '@patch/contract/machine-endpoints.ts';
import { z } from 'zod';
import { readShownRecords, toRecordKey } from '../../machines/machine-records-store.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

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
