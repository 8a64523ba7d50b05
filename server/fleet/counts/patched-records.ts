/** Finds the records that reports of machines patched: a former part missed them, and what took its place does not. */
import { isSerious } from '@patch/catalogue/schemas/severities.ts';
import type { Queryable } from '../../platform/database/database.ts';
import type { ActiveExceptions } from '../judgement/missing-exception-store.ts';
import { readMissingOfParts } from '../judgement/part-missing-store.ts';
import type { MachineToCount } from './machine-count-store.ts';
import {
  type PartSubject,
  type PatchBand,
  type PatchedRecords,
  type ReplacedParts,
  readClosedRecords,
  readPartSubjects,
} from './patched-record-store.ts';

const dayMs = 86_400_000;
const toDay = (time: number) => Math.floor(time / dayMs);

interface Counted {
  readonly machine: Pick<MachineToCount, 'clientId' | 'id' | 'parts'>;
  readonly replaced: ReplacedParts;
  /** The records that the machine misses now, in any state. */
  readonly missed: ReadonlySet<number>;
}

/** @param machines Those that are judged. */
export async function findPatched(
  database: Queryable,
  machines: readonly Counted[],
  exceptions: ActiveExceptions,
): Promise<readonly PatchedRecords[]> {
  if (machines.length === 0) return [];
  const closed = await findClosed(database, machines, exceptions);
  const records = await readClosedRecords(database, [
    ...new Set(closed.flatMap(({ missingIds }) => [...missingIds])),
  ]);
  const facts = new Map(records.map((record) => [record.id, record]));
  const patched = new Map<string, PatchedRecords>();
  for (const { machineId, on, missingIds } of closed)
    for (const missingId of missingIds) {
      const record = facts.get(missingId);
      // A record that came after the report was never missing in one.
      if (record === undefined || record.from > on) continue;
      const band = toBand(record);
      const days = toDay(on) - toDay(record.from);
      const key = `${machineId} ${band} ${days}`;
      const known = patched.get(key) ?? {
        machineId,
        day: toDay(on) * dayMs,
        band,
        days,
        records: 0,
      };
      patched.set(key, { ...known, records: known.records + 1 });
    }
  return [...patched.values()];
}

const toBand = ({
  exploited,
  severity,
}: {
  readonly exploited: boolean;
  readonly severity: string | null;
}): PatchBand => (exploited ? 'exploited' : isSerious(severity) ? 'serious' : 'others');

interface Closed {
  readonly machineId: number;
  readonly on: number;
  readonly missingIds: ReadonlySet<number>;
}

async function findClosed(
  database: Queryable,
  machines: readonly Counted[],
  exceptions: ActiveExceptions,
): Promise<readonly Closed[]> {
  const missing = await readMissingOfParts(database, [
    ...new Set(machines.flatMap(({ replaced }) => replaced.parts)),
  ]);
  const concerned = machines.filter(({ replaced }) =>
    replaced.parts.some((part) => missing.has(part)),
  );
  const subjects = await readSubjects(database, concerned);
  return concerned.map(({ machine, replaced, missed }) => {
    const present = new Set(machine.parts.flatMap((part) => placesOf(subjects.get(part))));
    const missingIds = new Set<number>();
    for (const part of replaced.parts) {
      // Without a part in its place, a package was removed, or could not be read.
      if (!placesOf(subjects.get(part)).some((place) => present.has(place))) continue;
      for (const missingId of missing.get(part) ?? [])
        if (!missed.has(missingId) && !exceptions.covers(machine.clientId, machine.id, missingId))
          missingIds.add(missingId);
    }
    return { machineId: machine.id, on: replaced.on, missingIds };
  });
}

async function readSubjects(
  database: Queryable,
  machines: readonly Counted[],
): Promise<ReadonlyMap<number, PartSubject>> {
  const parts = machines.flatMap(({ machine, replaced }) => [...machine.parts, ...replaced.parts]);
  const rows = await readPartSubjects(database, [...new Set(parts)]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Parts with a place in common take the place of each other. */
function placesOf(part: PartSubject | undefined): readonly string[] {
  if (part === undefined) return [];
  const { subject, names } = part;
  return names.length === 0 ? [subject] : names.map((name) => `${subject}\n${name}`);
}
