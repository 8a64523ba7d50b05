/** Reads what is known of a machine's last report by the hash of the sent text, and records unchanged reports. */
import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import { z } from 'zod';
import { arrayText, arrayTexts } from '../../platform/database/array-text.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { raiseRevision } from '../../platform/database/rows/list-revision-store.ts';

const KnownReport = z.object({
  key: z.string(),
  id: z.number(),
  /** The hash of everything stored of the machine. */
  reportHash: z.string(),
  /** The hash of the report as sent. */
  sentHash: z.string(),
  unreadableLines: z.number(),
});
/** The last report of a machine. */
export type KnownReport = z.infer<typeof KnownReport>;

/** Returns the last reports of one client's machines by key. */
export async function readKnownReports(
  database: Queryable,
  clientId: number,
  keys: readonly string[],
): Promise<ReadonlyMap<string, KnownReport>> {
  const reports = await queryRows(
    database,
    KnownReport,
    `select natural_key as key, machine.id, report_hash as "reportHash", sent_hash as "sentHash", unreadable_lines as "unreadableLines" from machine
     join machine_standing on machine_standing.client_id = machine.client_id and machine_standing.id = machine.id
     where machine.client_id = $1 and natural_key = any($2::text[])`,
    [clientId, arrayText(keys)],
  );
  return new Map(reports.map((report) => [report.key, report]));
}

export type SeenMachine = Pick<KnownReport, 'id' | 'sentHash' | 'unreadableLines'>;

/** Records machines whose report is unchanged. */
export async function recordSeen(
  tx: Queryable,
  clientId: number,
  machines: readonly SeenMachine[],
  now: number,
): Promise<void> {
  if (machines.length === 0) return;
  await raiseRevision(tx, machineList, 0);
  await tx.query(
    `update machine_standing set last_seen = $2, sent_hash = seen.sent_hash, unreadable_lines = seen.unreadable_lines
     from unnest($3::bigint[], $4::text[], $5::int[]) as seen(id, sent_hash, unreadable_lines)
     where machine_standing.client_id = $1 and machine_standing.id = seen.id`,
    [clientId, now, ...arrayTexts(machines, 'id', 'sentHash', 'unreadableLines')],
  );
}
