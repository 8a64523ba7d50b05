/** Reads the accepted missing records of a client and its machines, for the client's page. */
import type { ClientException } from '@patch/contract/machine-endpoints.ts';
import { z } from 'zod';
import { readShownRecords, toRecordKey } from '../../machines/machine-records-store.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';

const ExceptionRow = z.object({
  id: z.number(),
  list: z.string(),
  record_id: z.number(),
  until: z.number(),
  reason: z.string(),
  created_by: z.string(),
  machine_id: z.number().nullable(),
  machine: z.string().nullable(),
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
    `select missing_exception.id, list, record_id, until, reason, created_by, machine_id,
       coalesce(machine.name, machine.machine_key) as machine, count(*) over () as total
     from missing_exception
     left join machine on machine.client_id = missing_exception.client_id and machine.id = machine_id
     where missing_exception.client_id = $1 and until > $2
     order by until, missing_exception.id offset $3 limit $4`,
    [clientId, now, offset, size],
  );
  const shown = await readShownRecords(
    database,
    rows.map(({ list, record_id }) => ({ list, recordId: record_id })),
  );
  return {
    objList: rows.map((row) => {
      const record = shown.get(toRecordKey(row.list, row.record_id));
      return {
        exceptionId: row.id,
        list: row.list,
        recordId: row.record_id,
        identifier: record?.identifier ?? null,
        title: record?.title ?? null,
        machineId: row.machine_id,
        machine: row.machine,
        until: row.until,
        reason: row.reason,
        by: row.created_by,
      };
    }),
    totalCount: rows[0]?.total ?? 0,
  };
}
