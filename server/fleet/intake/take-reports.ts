/** Stores the machines that a client reports: idempotent by the client's key of the machine. */
import { setImmediate as turn } from 'node:timers/promises';
import type {
  ReportedMachine,
  ReportOutcome,
} from '@patch/contract/fleet/machine-report-endpoints.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import {
  addParts,
  type HashedPart,
  lockParts,
  readPartDeletions,
  readPartIds,
} from '../parts/inventory-part-store.ts';
import { encodeNumbers } from '../parts/number-set.ts';
import { IntakeMemory } from './intake-memory.ts';
import {
  type MachineReport,
  type ReadReport,
  readReport,
  reportHash,
  sentHash,
} from './machine-report.ts';
import {
  assertReportsAllowed,
  lockAllowedFleet,
  type ReportToWrite,
  type WrittenMachine,
  writeMachines,
} from './machine-store.ts';
import {
  type KnownReport,
  readKnownReports,
  recordSeen,
  type SeenMachine,
} from './sent-report-store.ts';

export interface FleetContext {
  readonly database: Database;
  /** Epoch milliseconds. */
  readonly clock: () => number;
}

/** Limits repetitions: between lookup and use, unused parts may be deleted and another report may arrive. */
const maxAttempts = 5;

/** A machine of a request. */
interface SentMachine {
  readonly reported: ReportedMachine;
  readonly key: string;
  readonly sentHash: string;
  /** Null until it is read. A report equal to the last one is never read. */
  read: ReadReport | null;
}

/**
 * Returns outcomes in the order of the machines. A machine that cannot be read is refused alone.
 * @param memory Cache across calls.
 */
export async function takeReports(
  { database, clock }: FleetContext,
  clientId: number,
  machines: readonly ReportedMachine[],
  memory = new IntakeMemory(),
): Promise<readonly ReportOutcome[]> {
  // Checked before reading, so that a refusal costs nothing.
  await assertReportsAllowed(database, clientId);
  const sent = machines.map((reported) => ({
    reported,
    key: reported.key,
    sentHash: sentHash(reported),
    read: null,
  }));
  const known = await readKnownReports(database, clientId, getKeys(sent));
  await readMachines(
    sent.filter((one) => known.get(one.key)?.sentHash !== one.sentHash),
    memory,
  );
  for (let attempt = 1; ; attempt += 1) {
    const done = await database.transaction((tx) =>
      storeReports(tx, clientId, sent, memory, clock()),
    );
    if (done.kind === 'stored') return done.outcomes;
    if (attempt === maxAttempts)
      throw new Error('Parts of an inventory vanish while they are used');
    await addParts(database, done.unknown);
    await readMachines(done.unread, memory);
  }
}

const getKeys = (sent: readonly SentMachine[]) => sent.map(({ key }) => key);

async function readMachines(sent: readonly SentMachine[], memory: IntakeMemory): Promise<void> {
  for (const one of sent) {
    one.read = readReport(one.reported, memory);
    // Lets other requests of the thread run between two machines.
    await turn();
  }
}

type Attempt =
  | { readonly kind: 'stored'; readonly outcomes: readonly ReportOutcome[] }
  /** Parts to add first, and machines to read after all. */
  | {
      readonly kind: 'unknown';
      readonly unknown: readonly HashedPart[];
      readonly unread: readonly SentMachine[];
    };

async function storeReports(
  tx: Queryable,
  clientId: number,
  sent: readonly SentMachine[],
  memory: IntakeMemory,
  now: number,
): Promise<Attempt> {
  const client = { id: clientId, name: await lockAllowedFleet(tx, clientId) };
  const known = await readKnownReports(tx, clientId, getKeys(sent));
  const unknownText = sent.filter(({ key, sentHash: own }) => known.get(key)?.sentHash !== own);
  const read = unknownText.flatMap((one) =>
    one.read?.kind === 'machine' ? [{ sentHash: one.sentHash, report: one.read.report }] : [],
  );
  const unread = unknownText.filter((one) => one.read === null);
  const unknown = await numberParts(tx, read, memory);
  if (unknown.length + unread.length > 0) return { kind: 'unknown', unknown, unread };
  const compared = read.map((one) => withNumbers(one, memory, known));
  const changed = compared.filter(({ report, hash }) => known.get(report.key)?.reportHash !== hash);
  await recordSeen(tx, clientId, seenMachines(sent, known, changed), now);
  const written =
    changed.length === 0
      ? new Map<string, WrittenMachine>()
      : await writeMachines(tx, client, changed, now);
  return {
    kind: 'stored',
    outcomes: sent.map((one) => toOutcome(one, known.get(one.key), written)),
  };
}

interface ReadMachine {
  readonly sentHash: string;
  readonly report: MachineReport;
}

function withNumbers(
  { sentHash: own, report }: ReadMachine,
  { partNumbers }: IntakeMemory,
  known: ReadonlyMap<string, KnownReport>,
): ReportToWrite {
  const parts = report.parts.map((part) => {
    const number = partNumbers.get(part);
    if (number === undefined) throw new Error('A part of an inventory has no number');
    return number;
  });
  const encodedParts = encodeNumbers(parts);
  return {
    report,
    sentHash: own,
    hash: reportHash(report, encodedParts),
    parts,
    encodedParts,
    known: known.get(report.key)?.id ?? null,
  };
}

/** Returns the machines whose report is unchanged. */
function seenMachines(
  sent: readonly SentMachine[],
  known: ReadonlyMap<string, KnownReport>,
  changed: readonly ReportToWrite[],
): readonly SeenMachine[] {
  const written = new Set(changed.map(({ report }) => report.key));
  return sent.flatMap(({ key, sentHash: own, read }) => {
    const before = known.get(key);
    if (before === undefined || written.has(key)) return [];
    if (before.sentHash === own) return [{ ...before, sentHash: own }];
    return read?.kind === 'machine'
      ? [{ id: before.id, sentHash: own, unreadableLines: read.report.unreadableLines }]
      : [];
  });
}

/** Locks the parts, so that those with an id keep it until the transaction ends. Returns the parts without an id. */
async function numberParts(
  tx: Queryable,
  read: readonly ReadMachine[],
  { partNumbers }: IntakeMemory,
): Promise<readonly HashedPart[]> {
  if (read.length === 0) return [];
  await lockParts(tx, 'shared');
  partNumbers.invalidateIfChanged(await readPartDeletions(tx));
  // Machines of one image share their part objects: each is looked up once.
  const unnumbered = new Set<HashedPart>();
  for (const { report } of read)
    for (const part of report.parts) if (partNumbers.get(part) === undefined) unnumbered.add(part);
  const found = new Map(
    await readPartIds(tx, [...new Set([...unnumbered].map(({ hash }) => hash))]),
  );
  const unknown: HashedPart[] = [];
  for (const part of unnumbered) {
    const number = found.get(part.hash);
    if (number === undefined) unknown.push(part);
    else partNumbers.set(part, number);
  }
  return unknown;
}

function toOutcome(
  { key, read, sentHash: own }: SentMachine,
  known: KnownReport | undefined,
  written: ReadonlyMap<string, WrittenMachine>,
): ReportOutcome {
  if (read?.kind === 'refused' && known?.sentHash !== own)
    return { key, state: 'refused', id: null, unreadableLines: 0, reason: read.reason };
  const stored = written.get(key);
  return {
    key,
    state: stored === undefined ? 'unchanged' : 'stored',
    id: stored?.id ?? known?.id ?? null,
    unreadableLines:
      read?.kind === 'machine' ? read.report.unreadableLines : (known?.unreadableLines ?? 0),
    reason: null,
    ...(stored?.namesOfKey && { namesOfKey: [...stored.namesOfKey] }),
  };
}
