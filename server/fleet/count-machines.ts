/** Counts what each machine misses from what its parts miss: machines that were reported, and those with a part whose judgement changed. */
import { CountedParts } from './counted-parts.ts';
import type { FleetWork } from './fleet-work.ts';
import {
  endPartsToCount,
  type MachineToCount,
  machinesInOrder,
  machinesToCount,
  type PartToCount,
  partStandings,
  partsToCount,
  recordStandings,
  reportedMachines,
  writeCounts,
} from './machine-count-store.ts';
import { firstOfChunk } from './machine-number.ts';
import { type ActiveExceptions, activeExceptions } from './missing-exception-store.ts';
import { setsOfParts } from './part-machines-store.ts';
import { PartPlaces } from './part-places.ts';

const machinesABatch = 1000;
const partsARound = 100_000;
/** The machines of more parts are found sooner by looking at all machines. */
const fewParts = 300;

/** Answers how many machines were counted. */
export async function countMachines(work: FleetWork): Promise<number> {
  const counter = new MachineCounter(work, await activeExceptions(work.database, work.clock()));
  return (await counter.countReported()) + (await counter.countAffected());
}

class MachineCounter {
  readonly #work: FleetWork;
  #exceptions: ActiveExceptions;
  /** Of this round: the one worker that changes judgements is the caller. */
  readonly #parts = new CountedParts();
  /** Machines that this round has counted: what their parts miss does not change within it. */
  readonly #counted = new Set<number>();

  constructor(work: FleetWork, exceptions: ActiveExceptions) {
    this.#work = work;
    this.#exceptions = exceptions;
  }

  async countReported(): Promise<number> {
    const { database } = this.#work;
    let counted = 0;
    for await (const machines of this.#batches((after) =>
      reportedMachines(database, after, machinesABatch),
    ))
      counted += await this.#count(machines);
    return counted;
  }

  async countAffected(): Promise<number> {
    const { database, signal, keepLease } = this.#work;
    for (let counted = 0; ; ) {
      signal.throwIfAborted();
      const parts = await partsToCount(database, partsARound);
      if (parts.length === 0) return counted;
      await this.#followExceptions();
      counted += await (parts.length > fewParts
        ? this.#countAmongAll(parts)
        : this.#countHaving(parts));
      await database.transaction(async (tx) => {
        await keepLease(tx);
        await endPartsToCount(tx, parts);
      });
    }
  }

  async #countHaving(parts: readonly PartToCount[]): Promise<number> {
    const { database, signal } = this.#work;
    const affected = new Set<number>();
    const having = await setsOfParts(
      database,
      parts.map(({ partId }) => partId),
    );
    for (const { clientId, chunk, numbers } of having) {
      const first = firstOfChunk(clientId, chunk);
      for (const number of numbers)
        if (!this.#counted.has(first + number)) affected.add(first + number);
    }
    const ids = [...affected];
    let counted = 0;
    for (let from = 0; from < ids.length; from += machinesABatch) {
      signal.throwIfAborted();
      const batch = ids.slice(from, from + machinesABatch);
      counted += await this.#count(await machinesToCount(database, batch));
    }
    return counted;
  }

  async #countAmongAll(parts: readonly PartToCount[]): Promise<number> {
    const { database } = this.#work;
    const changed = new PartPlaces();
    for (const { partId } of parts) changed.of(partId);
    let counted = 0;
    for await (const machines of this.#batches((after) =>
      machinesInOrder(database, after, machinesABatch),
    ))
      counted += await this.#count(
        machines.filter(
          ({ id, parts: own }) =>
            !this.#counted.has(id) && own.some((part) => changed.find(part) > 0),
        ),
      );
    return counted;
  }

  async *#batches(
    next: (after: Pick<MachineToCount, 'clientId' | 'id'>) => Promise<readonly MachineToCount[]>,
  ): AsyncGenerator<readonly MachineToCount[]> {
    let after = { clientId: 0, id: 0 };
    for (;;) {
      this.#work.signal.throwIfAborted();
      const machines = await next(after);
      const last = machines.at(-1);
      if (last === undefined) return;
      after = last;
      yield machines;
    }
  }

  /** One that was added or ended since has marked its parts: those machines are counted again. */
  async #followExceptions(): Promise<void> {
    const { database, clock } = this.#work;
    const now = await activeExceptions(database, clock());
    if (!now.equals(this.#exceptions)) this.#counted.clear();
    this.#exceptions = now;
  }

  async #count(machines: readonly MachineToCount[]): Promise<number> {
    if (machines.length === 0) return 0;
    const { database, keepLease, clock } = this.#work;
    await this.#readStandings(machines);
    // Parts that came a moment ago are judged first; their machines are still marked.
    const ready = machines.filter(({ parts }) => this.#parts.areJudged(parts));
    if (ready.length === 0) return 0;
    const exceptions = this.#exceptions;
    const counts = ready.map((machine) => ({
      machine,
      ...this.#parts.countsOf(
        machine.parts,
        exceptions.isEmpty
          ? null
          : (missingId) => exceptions.covers(machine.clientId, machine.id, missingId),
      ),
    }));
    await database.transaction(async (tx) => {
      await keepLease(tx);
      await writeCounts(tx, counts, clock());
    });
    for (const { id } of ready) this.#counted.add(id);
    return ready.length;
  }

  async #readStandings(machines: readonly MachineToCount[]): Promise<void> {
    const unknown = new Set<number>();
    for (const { parts } of machines)
      for (const part of parts) if (!this.#parts.isJudged(part)) unknown.add(part);
    if (unknown.size === 0) return;
    const { database } = this.#work;
    const standings = await partStandings(database, [...unknown]);
    const missing = [...standings.values()].flatMap((standing) =>
      standing.missing.map(({ missingId }) => missingId),
    );
    const fresh = this.#parts.unknownRecords(missing);
    if (fresh.length > 0) this.#parts.addRecords(await recordStandings(database, fresh));
    this.#parts.addParts(standings);
  }
}
