/** Reads the exceptions of machines that end soon. */
import type { EndingException } from '@patch/contract/group-report-endpoint.ts';
import { z } from 'zod';
import { readShownRecords, toRecordKey } from '../../machines/machine-records-store.ts';
import { arrayText } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { query, sql } from '../../platform/database/sql-statement.ts';
import { clientOfMachine } from '../machines/machine-number.ts';

const ExceptionRow = z.object({
  list: z.string(),
  recordId: z.number(),
  machineId: z.number().nullable(),
  machine: z.string().nullable(),
  client: z.string().nullable(),
  until: z.number(),
  reason: z.string(),
  by: z.string(),
  total: z.number(),
});

interface EndingExceptions {
  readonly exceptions: EndingException[];
  readonly totalCount: number;
}

/** Returns the first to end. @param within The machines that they must hold for; null for all. */
export async function readEndingExceptions(
  database: Queryable,
  within: ReadonlySet<number> | null,
  { now, until, size }: { readonly now: number; readonly until: number; readonly size: number },
): Promise<EndingExceptions> {
  const ids = [...(within ?? [])];
  const clients = [...new Set(ids.map(clientOfMachine))];
  const concerned =
    within === null
      ? sql`true`
      : sql`(machine_id = any(${arrayText(ids)}::bigint[])
          or (machine_id is null and exception.client_id = any(${arrayText(clients)}::bigint[])))`;
  const rows = await query.rows(database, ExceptionRow)`
    select list, record_id as "recordId", machine_id as "machineId", coalesce(machine.name, machine.machine_key) as machine,
      reporting_fleet.name as client, until, reason, created_by as by, count(*) over () as total
    from missing_exception as exception
    left join machine on machine.client_id = exception.client_id and machine.id = machine_id
    left join reporting_fleet on reporting_fleet.id = exception.client_id
    where until > ${now} and until <= ${until} and ${concerned} order by until, exception.id limit ${size}`;
  const shown = await readShownRecords(database, rows);
  return {
    exceptions: rows.map(({ total: _total, ...row }) => ({
      ...row,
      identifier: shown.get(toRecordKey(row.list, row.recordId))?.identifier ?? null,
    })),
    totalCount: rows[0]?.total ?? 0,
  };
}
