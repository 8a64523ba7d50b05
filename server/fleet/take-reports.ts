/** Takes in the machines that a client reports: idempotent by the client's key of the machine. */
import { setImmediate as turn } from 'node:timers/promises';
import type { ReportedMachine, ReportOutcome } from '@patch/contract/machine-report-endpoints.ts';
import type { Database, Queryable } from '../platform/database/database.ts';
import { IntakeMemory } from './intake-memory.ts';
import {
  addParts,
  deletionsOfParts,
  type HashedPart,
  lockParts,
  partIds,
} from './inventory-part-store.ts';
import { type MachineReport, readReport, sentHash } from './machine-report.ts';
import { assertReportsAllowed, lockAllowedFleet, writeMachines } from './machine-store.ts';
import { type KnownReport, knownReports, noteSeen } from './sent-report-store.ts';

export interface FleetContext {
  readonly database: Database;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/** Unused parts can be deleted between looking them up and using them, so often; and another report can come between. */
const maxAttempts = 5;

/** A machine of a request. */
interface SentMachine {
  readonly reported: ReportedMachine;
  readonly key: string;
  readonly sentHash: string;
  /** Null until it is read, which the same report as before never is. */
  read: MachineReport | { readonly refused: string } | null;
}

/** In the order of the machines. One that cannot be read is refused by itself. `memory`: of those before, for who takes in many. */
export async function takeReports(
  { database, clock }: FleetContext,
  clientId: number,
  machines: readonly ReportedMachine[],
  memory = new IntakeMemory(),
): Promise<readonly ReportOutcome[]> {
  // Before a line is read: it costs nothing to be refused.
  await assertReportsAllowed(database, clientId);
  const sent = machines.map((reported) => ({
    reported,
    key: reported.key,
    sentHash: sentHash(reported),
    read: null,
  }));
  const known = await knownReports(database, clientId, keysOf(sent));
  await readMachines(
    sent.filter((one) => known.get(one.key)?.sentHash !== one.sentHash),
    memory,
  );
  for (let attempt = 1; ; attempt += 1) {
    const done = await database.transaction((tx) =>
      tryToStore(tx, clientId, sent, memory, clock()),
    );
    if (done.kind === 'stored') return done.outcomes;
    if (attempt === maxAttempts)
      throw new Error('Parts of an inventory vanish while they are used');
    await addParts(database, done.unknown);
    await readMachines(done.unread, memory);
  }
}

const keysOf = (sent: readonly SentMachine[]) => sent.map(({ key }) => key);

async function readMachines(sent: readonly SentMachine[], memory: IntakeMemory): Promise<void> {
  for (const one of sent) {
    const read = readReport(one.reported, memory);
    one.read = read.kind === 'machine' ? read.report : { refused: read.reason };
    // Whoever shares the thread is answered between two machines.
    await turn();
  }
}

type Attempt =
  | { readonly kind: 'stored'; readonly outcomes: readonly ReportOutcome[] }
  /** Parts that have to be added first, and machines that have to be read after all. */
  | {
      readonly kind: 'unknown';
      readonly unknown: readonly HashedPart[];
      readonly unread: readonly SentMachine[];
    };

async function tryToStore(
  tx: Queryable,
  clientId: number,
  sent: readonly SentMachine[],
  memory: IntakeMemory,
  now: number,
): Promise<Attempt> {
  const client = { id: clientId, name: await lockAllowedFleet(tx, clientId) };
  const known = await knownReports(tx, clientId, keysOf(sent));
  const sorted = sortedReports(sent, known);
  const { numbers, unknown } = await numbersOfParts(tx, sorted.changed, memory);
  if (unknown.length + sorted.unread.length > 0)
    return { kind: 'unknown', unknown, unread: sorted.unread };
  await noteSeen(tx, clientId, sorted.seen, now);
  const written =
    sorted.changed.length === 0
      ? new Map<string, number>()
      : await writeMachines(
          tx,
          client,
          sorted.changed.map(({ report, sentHash: own }) => ({
            report,
            sentHash: own,
            parts: report.parts.map(({ hash }) => numberOf(numbers, hash)),
            known: known.get(report.key)?.id ?? null,
          })),
          now,
        );
  return {
    kind: 'stored',
    outcomes: sent.map((one) => outcomeOf(one, known.get(one.key), written)),
  };
}

interface SortedReports {
  /** Says nothing new. */
  readonly seen: readonly {
    readonly id: number;
    readonly sentHash: string;
    readonly unreadableLines: number;
  }[];
  readonly changed: readonly { readonly report: MachineReport; readonly sentHash: string }[];
  /** Was the same as the one before, which another report has replaced meanwhile. */
  readonly unread: readonly SentMachine[];
}

function sortedReports(
  sent: readonly SentMachine[],
  known: ReadonlyMap<string, KnownReport>,
): SortedReports {
  const sorted = {
    seen: [] as SortedReports['seen'][number][],
    changed: [] as SortedReports['changed'][number][],
    unread: [] as SentMachine[],
  };
  for (const one of sent) {
    const before = known.get(one.key);
    const own = { sentHash: one.sentHash };
    if (before?.sentHash === one.sentHash) sorted.seen.push({ ...own, ...before, ...own });
    else if (one.read === null) sorted.unread.push(one);
    else if ('refused' in one.read) continue;
    else if (before?.reportHash === one.read.hash)
      sorted.seen.push({ ...own, id: before.id, unreadableLines: one.read.unreadableLines });
    else sorted.changed.push({ ...own, report: one.read });
  }
  return sorted;
}

/** Locks the parts, so that those with a number keep it until the transaction ends. */
async function numbersOfParts(
  tx: Queryable,
  reports: SortedReports['changed'],
  { partNumbers }: IntakeMemory,
): Promise<{
  readonly numbers: ReadonlyMap<string, number>;
  readonly unknown: readonly HashedPart[];
}> {
  const numbers = new Map<string, number>();
  if (reports.length === 0) return { numbers, unknown: [] };
  await lockParts(tx, 'shared');
  partNumbers.holdAsOf(await deletionsOfParts(tx));
  const asked = new Map<string, HashedPart>();
  for (const { report } of reports)
    for (const part of report.parts) {
      const number = partNumbers.get(part.hash);
      if (number === undefined) asked.set(part.hash, part);
      else numbers.set(part.hash, number);
    }
  const found = asked.size === 0 ? [] : await partIds(tx, [...asked.keys()]);
  partNumbers.add(found);
  for (const [hash, number] of found) {
    numbers.set(hash, number);
    asked.delete(hash);
  }
  return { numbers, unknown: [...asked.values()] };
}

function numberOf(numbers: ReadonlyMap<string, number>, hash: string): number {
  const number = numbers.get(hash);
  if (number === undefined) throw new Error('A part of an inventory has no number');
  return number;
}

function outcomeOf(
  { key, read, sentHash: own }: SentMachine,
  known: KnownReport | undefined,
  written: ReadonlyMap<string, number>,
): ReportOutcome {
  if (read !== null && 'refused' in read && known?.sentHash !== own)
    return { key, state: 'refused', id: null, unreadableLines: 0, reason: read.refused };
  const id = written.get(key);
  return {
    key,
    state: id === undefined ? 'unchanged' : 'stored',
    id: id ?? known?.id ?? null,
    unreadableLines:
      read === null || 'refused' in read ? (known?.unreadableLines ?? 0) : read.unreadableLines,
    reason: null,
  };
}
