/** Random reports of machines, and changes of the clients that report them, made by the writers of the product. */
import { createChance, pick } from '@patch/catalogue/testing/chance.ts';
import { ReportedMachine } from '@patch/contract/fleet/machine-report-endpoints.ts';
import fc from 'fast-check';
import { FleetJudge } from '../../../fleet/fleet-judge.ts';
import { updateClientNames } from '../../../fleet/intake/client-name-store.ts';
import { removeReported } from '../../../fleet/intake/machine-report-routes.ts';
import { takeReports } from '../../../fleet/intake/take-reports.ts';
import { buildReportingClients } from '../../../fleet/testing/client-of-fleet.ts';
import { Random, randomMachine, reported } from '../../../fleet/testing/random-fleet.ts';
import { changeClient, lockClient } from '../../../licensing/clients/licensed-client-store.ts';
import type { Database } from '../../../platform/database/database.ts';

const clientNames = ['North', 'South', 'İstanbul'];
const now = 1_800_000_000_000;
const day = 86_400_000;

const key = fc.constantFrom('m1', 'm2', 'm3');
/** The index of a client: machines of a later one have larger ids. */
const client = fc.nat(clientNames.length - 1);

export const fleetChange = fc.oneof(
  fc.record({ kind: fc.constant('report' as const), client, key, seed: fc.nat(1e9) }),
  fc.record({ kind: fc.constant('remove' as const), client, key }),
  fc.record({ kind: fc.constant('changeClient' as const), client, seed: fc.nat(1e9) }),
  fc.record({ kind: fc.constant('judge' as const) }),
);
export type FleetChange = typeof fleetChange extends fc.Arbitrary<infer Change> ? Change : never;

/** Returns the ids of the clients. */
export const beginFleet = (database: Database) => buildReportingClients(database, clientNames);

export async function applyFleetChange(
  database: Database,
  clients: readonly number[],
  change: FleetChange,
): Promise<void> {
  const context = { database, clock: () => now };
  if (change.kind === 'judge') {
    await database.query('update fleet_worker set until = 0');
    await new FleetJudge(context).round(new AbortController().signal);
    return;
  }
  const id = clients[change.client] ?? 0;
  if (change.kind === 'remove') {
    const { rows } = await database.query(
      'select from machine where client_id = $1 and natural_key = $2',
      [id, change.key],
    );
    if (rows.length > 0) await removeReported(context, id, change.key);
    return;
  }
  if (change.kind === 'report') {
    const body = reported(change.key, randomMachine(new Random(change.seed)));
    await takeReports(context, id, [ReportedMachine.parse(body)]);
    return;
  }
  const chance = createChance(change.seed);
  await database.transaction(async (tx) => {
    const stored = await lockClient(tx, id);
    if (stored === null) throw new Error('No client');
    await changeClient(
      tx,
      stored,
      {
        clientName: pick([...clientNames, 'Other'], chance),
        licenseType: pick(['trial', 'subscription'] as const, chance),
        licenseExpiry: pick([day, 2 * day], chance),
        registeredOn: pick([null, day], chance),
        applicationVersion: pick(['', '1.0', '1.10'], chance),
      },
      now,
    );
  });
  await updateClientNames(database);
}
