/** Licensed clients in the database that may report machines, and a machine that they report. */
import { ReportedMachine } from '@patch/contract/fleet/machine-report-endpoints.ts';
import type { Database } from '../../platform/database/database.ts';
import { IdRow } from '../../platform/database/plain-rows.ts';
import { queryRows } from '../../platform/database/query-rows.ts';
import { writeClientRows } from '../../testing/client-rows.ts';

/** Returns their ids in order. */
export async function buildReportingClients(
  database: Database,
  names: readonly string[],
): Promise<readonly number[]> {
  await writeClientRows(
    database,
    names.map((clientName) => ({ clientName, activationCode: `sealed ${clientName}` })),
  );
  const rows = await queryRows(
    database,
    IdRow,
    'update licensed_client set reports_machines = true returning id',
  );
  return rows.map(({ id }) => id).toSorted((a, b) => a - b);
}

/** Builds a machine with AlmaLinux 9.4 and one package, such as 'bash-5.1.8-9.el9'. */
export const buildAlmaMachine = (key: string, installed: string): ReportedMachine =>
  ReportedMachine.parse({
    key,
    name: key,
    text: `ID="almalinux"\nVERSION_ID="9.4"\n${installed}.x86_64\n`,
  });
