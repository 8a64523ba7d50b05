/** Counts what each machine misses from what its parts miss: machines that were reported, and those with a part whose judgement changed. */
import { missingStates } from '@patch/catalogue/fleet/inventory-part.ts';
import type { FleetWork } from './fleet-work.ts';
import {
  endPartsToCount,
  type MachineCounts,
  type MachineToCount,
  machinesToCount,
  type PartStanding,
  partStandings,
  partsToCount,
  type RecordStanding,
  recordStandings,
  reportedMachines,
  writeCounts,
} from './machine-count-store.ts';
import { type ActiveExceptions, activeExceptions } from './missing-exception-store.ts';
import { machinesOfParts } from './part-machines-store.ts';

const machinesABatch = 1000;
const partsARound = 2000;

/** Answers how many machines were counted. */
export async function countMachines(work: FleetWork): Promise<number> {
  const counter = new MachineCounter(work, await activeExceptions(work.database, work.clock()));
  return (await counter.countReported()) + (await counter.countAffected());
}

class MachineCounter {
  readonly #work: FleetWork;
  readonly #exceptions: ActiveExceptions;
  /** Of this round: the one worker that changes judgements is the caller. */
  readonly #standings = new Map<number, PartStanding>();
  readonly #records = new Map<number, RecordStanding>();
  /** Machines that this round has counted: what their parts miss does not change within it. */
  readonly #counted = new Set<number>();

  constructor(work: FleetWork, exceptions: ActiveExceptions) {
    this.#work = work;
    this.#exceptions = exceptions;
  }

  async countReported(): Promise<number> {
    const { database, signal } = this.#work;
    let after = { clientId: 0, id: 0 };
    for (let counted = 0; ; ) {
      signal.throwIfAborted();
      const machines = await reportedMachines(database, after, machinesABatch);
      const last = machines.at(-1);
      if (last === undefined) return counted;
      after = last;
      counted += await this.#count(machines);
    }
  }

  async countAffected(): Promise<number> {
    const { database, signal, keepLease } = this.#work;
    for (let counted = 0; ; ) {
      signal.throwIfAborted();
      const parts = await partsToCount(database, partsARound);
      if (parts.length === 0) return counted;
      const having = await machinesOfParts(database, parts);
      const machines = new Set(having.flatMap(({ machineIds }) => machineIds));
      const affected = [...machines].filter((id) => !this.#counted.has(id));
      for (let from = 0; from < affected.length; from += machinesABatch) {
        signal.throwIfAborted();
        const ids = affected.slice(from, from + machinesABatch);
        counted += await this.#count(await machinesToCount(database, ids));
      }
      await database.transaction(async (tx) => {
        await keepLease(tx);
        await endPartsToCount(tx, parts);
      });
    }
  }

  async #count(machines: readonly MachineToCount[]): Promise<number> {
    const { database, keepLease, clock } = this.#work;
    await this.#readStandings(new Set(machines.flatMap(({ parts }) => parts)));
    // Parts that came a moment ago are judged first; their machines are still marked.
    const ready = machines.filter(({ parts }) =>
      parts.every((part) => this.#standings.get(part)?.judged === true),
    );
    if (ready.length === 0) return 0;
    const counts = ready.map((machine) => ({ machine, ...this.#countsOf(machine) }));
    await database.transaction(async (tx) => {
      await keepLease(tx);
      await writeCounts(tx, counts, clock());
    });
    for (const { id } of ready) this.#counted.add(id);
    return ready.length;
  }

  async #readStandings(parts: ReadonlySet<number>): Promise<void> {
    const unknown = [...parts].filter((id) => this.#standings.get(id)?.judged !== true);
    if (unknown.length === 0) return;
    const standings = await partStandings(this.#work.database, unknown);
    for (const [id, standing] of standings) this.#standings.set(id, standing);
    const missing = new Set([...standings.values()].flatMap((standing) => standing.missing));
    const fresh = [...missing].filter((id) => !this.#records.has(id));
    if (fresh.length === 0) return;
    for (const [id, record] of await recordStandings(this.#work.database, fresh))
      this.#records.set(id, record);
  }

  #countsOf({ clientId, id, parts }: MachineToCount): MachineCounts {
    const standings = parts.map((part) => this.#standings.get(part));
    const counts = {
      ...noCounts,
      notJudged: !standings.some((standing) => standing?.catalogued === true),
    };
    for (const [missing, state] of statesOf(standings)) {
      const name = missingStates[state] ?? 'uncertain';
      if (this.#exceptions.covers(clientId, id, missing)) counts.accepted += 1;
      else if (name !== 'missing') counts[name] += 1;
      else countMissing(counts, this.#records.get(missing));
    }
    return counts;
  }
}

/** By missing record, the most certain of what the parts say. */
function statesOf(standings: readonly (PartStanding | undefined)[]): ReadonlyMap<number, number> {
  const states = new Map<number, number>();
  for (const standing of standings)
    for (const [at, missing] of standing?.missing.entries() ?? [])
      states.set(missing, Math.max(states.get(missing) ?? 0, standing?.states[at] ?? 0));
  return states;
}

const noCounts: Readonly<MachineCounts> = {
  missing: 0,
  critical: 0,
  important: 0,
  moderate: 0,
  low: 0,
  unspecified: 0,
  exploited: 0,
  uncertain: 0,
  needsSubscription: 0,
  accepted: 0,
  notJudged: false,
};

function countMissing(counts: MachineCounts, record: RecordStanding | undefined): void {
  counts.missing += 1;
  if (record?.exploited === true) counts.exploited += 1;
  switch (record?.severity) {
    case 'Critical':
      counts.critical += 1;
      break;
    case 'Important':
      counts.important += 1;
      break;
    case 'Moderate':
      counts.moderate += 1;
      break;
    case 'Low':
      counts.low += 1;
      break;
    default:
      counts.unspecified += 1;
  }
}
