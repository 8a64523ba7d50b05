/** Takes in the machines that a client reports: idempotent by the client's key of the machine. */
import { setImmediate as turn } from 'node:timers/promises';
import type { ReportedMachine, ReportOutcome } from '@patch/contract/machine-report-endpoints.ts';
import type { Database, Queryable } from '../platform/database/database.ts';
import { AppError } from '../platform/errors/app-error.ts';
import { addParts, type HashedPart, lockParts, partIds } from './inventory-part-store.ts';
import { type MachineReport, readReport } from './machine-report.ts';
import {
  deleteMachines,
  type KnownMachine,
  knownMachines,
  lockFleet,
  lockFleetOf,
  type NamedMachine,
  namedMachine,
  noteSeen,
  writeMachines,
} from './machine-store.ts';

export interface FleetContext {
  readonly database: Database;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/** Unused parts can be deleted between looking them up and using them, so often. */
const maxAttempts = 5;

/** In the order of the machines. One that cannot be read is refused by itself. */
export async function takeReports(
  context: FleetContext,
  clientId: number,
  machines: readonly ReportedMachine[],
): Promise<readonly ReportOutcome[]> {
  // Before a line is read: it costs nothing to be refused.
  await context.database.transaction((tx) => allowedFleet(tx, clientId));
  const outcomes = new Map<string, ReportOutcome>();
  const reports: MachineReport[] = [];
  for (const machine of machines) {
    const read = readReport(machine);
    if (read.kind === 'machine') reports.push(read.report);
    else outcomes.set(read.key, refused(read));
    // Other callers are answered between two machines.
    await turn();
  }
  const stored = await storeReports(context, clientId, reports);
  for (const outcome of stored) outcomes.set(outcome.key, outcome);
  return machines.flatMap(({ key }) => outcomes.get(key) ?? []);
}

const refused = ({ key, reason }: { readonly key: string; readonly reason: string }) => ({
  key,
  state: 'refused' as const,
  id: null,
  unreadableLines: 0,
  reason,
});

async function storeReports(
  { database, clock }: FleetContext,
  clientId: number,
  reports: readonly MachineReport[],
): Promise<readonly ReportOutcome[]> {
  for (let attempt = 1; ; attempt += 1) {
    const done = await database.transaction((tx) => tryToStore(tx, clientId, reports, clock()));
    if (done.kind === 'stored') return done.outcomes;
    if (attempt === maxAttempts)
      throw new Error('Parts of an inventory vanish while they are used');
    await addParts(database, done.unknown);
  }
}

type Attempt =
  | { readonly kind: 'stored'; readonly outcomes: readonly ReportOutcome[] }
  /** Parts that have to be added first. */
  | { readonly kind: 'unknownParts'; readonly unknown: readonly HashedPart[] };

async function tryToStore(
  tx: Queryable,
  clientId: number,
  reports: readonly MachineReport[],
  now: number,
): Promise<Attempt> {
  const client = { id: clientId, name: await allowedFleet(tx, clientId) };
  const known = await knownMachines(
    tx,
    clientId,
    reports.map(({ key }) => key),
  );
  const changed = reports.filter(({ key, hash }) => known.get(key)?.reportHash !== hash);
  const parts = distinctParts(changed);
  await lockParts(tx, 'shared');
  const ids = await partIds(tx, [...parts.keys()]);
  const unknown = [...parts.values()].filter(({ hash }) => !ids.has(hash));
  if (unknown.length > 0) return { kind: 'unknownParts', unknown };
  const unchanged = reports.filter((report) => !changed.includes(report));
  await noteSeen(tx, clientId, idsOf(unchanged, known), now);
  const written =
    changed.length === 0
      ? new Map<string, number>()
      : await writeMachines(
          tx,
          client,
          changed.map((report) => ({
            report,
            parts: report.parts.map(({ hash }) => ids.get(hash) ?? 0),
            known: known.get(report.key) ?? null,
          })),
          now,
        );
  const outcomes = reports.map(({ key, unreadableLines }) => ({
    key,
    state: written.has(key) ? ('stored' as const) : ('unchanged' as const),
    id: written.get(key) ?? known.get(key)?.id ?? null,
    unreadableLines,
    reason: null,
  }));
  return { kind: 'stored', outcomes };
}

function distinctParts(reports: readonly MachineReport[]): ReadonlyMap<string, HashedPart> {
  return new Map(reports.flatMap(({ parts }) => parts.map((part) => [part.hash, part] as const)));
}

const idsOf = (reports: readonly MachineReport[], known: ReadonlyMap<string, KnownMachine>) =>
  reports.flatMap(({ key }) => known.get(key)?.id ?? []);

/** Locks the client's machines and answers the client's name. */
async function allowedFleet(tx: Queryable, clientId: number): Promise<string> {
  const name = await lockFleet(tx, clientId);
  if (name !== null) return name;
  throw new AppError(
    'machines_not_allowed',
    'This client may not report machines. An administrator can allow it in the registry of licensed clients.',
  );
}

/** By the client itself. */
export async function removeReported(
  { database }: FleetContext,
  clientId: number,
  key: string,
): Promise<void> {
  await database.transaction(async (tx) => {
    await allowedFleet(tx, clientId);
    const known = await knownMachines(tx, clientId, [key]);
    const removed = await deleteMachines(tx, clientId, idsOf([{ key } as MachineReport], known));
    if (removed === 0)
      throw new AppError('not_found', `This client has no machine with the key ${key}.`);
  });
}

/** By an administrator. Answers the machine's name. */
export async function removeMachine({ database }: FleetContext, id: number): Promise<NamedMachine> {
  return database.transaction(async (tx) => {
    const clientId = await lockFleetOf(tx, id);
    const machine = await namedMachine(tx, id);
    if (machine === null) throw new AppError('not_found', `There is no machine ${id}.`);
    await deleteMachines(tx, clientId, [id]);
    return machine;
  });
}
