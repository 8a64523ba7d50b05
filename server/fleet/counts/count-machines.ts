/**
 * Counts what each machine misses from what its parts miss: for reported machines, and for machines with a part whose judgement
 * changed.
 */
import type { FleetWork } from '../judgement/fleet-lease-store.ts';
import {
  type ActiveExceptions,
  readActiveExceptions,
} from '../judgement/missing-exception-store.ts';
import { firstOfChunk } from '../machines/machine-number.ts';
import { readSetsOfParts } from '../parts/part-machines-store.ts';
import { CountedParts, PartIndexes } from './counted-parts.ts';
import {
  endPartsToCount,
  type MachineToCount,
  type PartToCount,
  readMachinesInOrder,
  readMachinesToCount,
  readPartStandings,
  readPartsToCount,
  readRecordStandings,
  readReportedMachines,
  writeCounts,
} from './machine-count-store.ts';
import { type ReplacedParts, readReplacedParts, writePatched } from './patched-record-store.ts';
import { findPatched } from './patched-records.ts';

const batchMachines = 1000;
const batchParts = 100_000;
/** With more parts than this, reading all machines is faster than finding those that have them. */
const fewParts = 300;

/** Returns the number of counted machines. */
export async function countMachines(work: FleetWork): Promise<number> {
  const counter = new MachineCounter(work, await readActiveExceptions(work.database, work.clock()));
  return (await counter.countReported()) + (await counter.countAffected());
}

class MachineCounter {
  readonly #work: FleetWork;
  #exceptions: ActiveExceptions;
  /** The parts of this round. Only the caller changes judgements, so they stay valid. */
  readonly #parts = new CountedParts();
  /** The machines counted in this round, whose parts do not change within it. */
  readonly #counted = new Set<number>();

  constructor(work: FleetWork, exceptions: ActiveExceptions) {
    this.#work = work;
    this.#exceptions = exceptions;
  }

  async countReported(): Promise<number> {
    const { database } = this.#work;
    let counted = 0;
    for await (const machines of this.#batches((after) =>
      readReportedMachines(database, after, batchMachines),
    ))
      counted += await this.#count(machines);
    return counted;
  }

  async countAffected(): Promise<number> {
    const { database, signal, keepLease } = this.#work;
    for (let counted = 0; ; ) {
      signal.throwIfAborted();
      const parts = await readPartsToCount(database, batchParts);
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
    const having = await readSetsOfParts(
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
    for (let from = 0; from < ids.length; from += batchMachines) {
      signal.throwIfAborted();
      const batch = ids.slice(from, from + batchMachines);
      counted += await this.#count(await readMachinesToCount(database, batch));
    }
    return counted;
  }

  async #countAmongAll(parts: readonly PartToCount[]): Promise<number> {
    const { database } = this.#work;
    const changed = new PartIndexes();
    for (const { partId } of parts) changed.add(partId);
    let counted = 0;
    for await (const machines of this.#batches((after) =>
      readMachinesInOrder(database, after, batchMachines),
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

  /** An exception that was added or ended since has marked its parts, so those machines are counted again. */
  async #followExceptions(): Promise<void> {
    const { database, clock } = this.#work;
    const now = await readActiveExceptions(database, clock());
    if (!now.equals(this.#exceptions)) this.#counted.clear();
    this.#exceptions = now;
  }

  async #count(machines: readonly MachineToCount[]): Promise<number> {
    if (machines.length === 0) return 0;
    const { database, keepLease, clock } = this.#work;
    await this.#readStandings(machines);
    // New parts are judged first; their machines stay marked.
    const ready = machines.filter(({ parts }) => this.#parts.areJudged(parts));
    if (ready.length === 0) return 0;
    const exceptions = this.#exceptions;
    const counts = ready.map((machine) => ({
      machine,
      ...this.#parts.countMissing(
        machine.parts,
        exceptions.isEmpty
          ? null
          : (missingId) => exceptions.covers(machine.clientId, machine.id, missingId),
      ),
    }));
    const replaced = await readReplacedParts(
      database,
      ready.map(({ id }) => id),
    );
    const patched = await findPatched(database, this.#withReplaced(counts, replaced), exceptions);
    await database.transaction(async (tx) => {
      await keepLease(tx);
      await writeCounts(tx, counts, clock());
      await writePatched(tx, ready, replaced, patched);
    });
    for (const { id } of ready) this.#counted.add(id);
    return ready.length;
  }

  /** Returns the judged machines of these parts. */
  #withReplaced(
    counts: readonly { readonly machine: MachineToCount; readonly notJudged: boolean }[],
    replaced: readonly ReplacedParts[],
  ) {
    const own = new Map(replaced.map((one) => [one.id, one]));
    return counts.flatMap(({ machine, notJudged }) => {
      const parts = own.get(machine.id);
      if (parts === undefined || notJudged) return [];
      return [{ machine, replaced: parts, missed: this.#parts.missedRecords(machine.parts) }];
    });
  }

  async #readStandings(machines: readonly MachineToCount[]): Promise<void> {
    const unknown = new Set<number>();
    for (const { parts } of machines)
      for (const part of parts) if (!this.#parts.isJudged(part)) unknown.add(part);
    if (unknown.size === 0) return;
    const { database } = this.#work;
    const standings = await readPartStandings(database, [...unknown]);
    const missing = [...standings.values()].flatMap((standing) =>
      standing.missing.map(({ missingId }) => missingId),
    );
    const fresh = this.#parts.unknownRecords(missing);
    if (fresh.length > 0) this.#parts.addRecords(await readRecordStandings(database, fresh));
    this.#parts.addParts(standings);
  }
}
