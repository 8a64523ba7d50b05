/**
 * Sums what parts miss to what a machine misses: each record once, with the most certain state of its parts. Pure; built for 100,000
 * machines in a round.
 */
import { missingStates } from '@patch/catalogue/fleet/missing-finding.ts';
import type { MachineCounts, PartStanding, RecordStanding } from './machine-count-store.ts';

/**
 * Assigns each part id an index from 1 on and finds it without hashing: counting looks up 600 parts for each of 100,000 machines.
 */

const pageBits = 12;
const pageSize = 2 ** pageBits;

/** Assigns each part id an index from 1 on and finds it without hashing: counting looks up 600 parts for each of 100,000 machines. */
export class PartIndexes {
  /** Part ids have gaps: only used pages exist. */
  readonly #pages: (Uint32Array | undefined)[] = [];
  #last = 0;

  /** The highest assigned index. */
  get last(): number {
    return this.#last;
  }

  /** Returns 0 for a part without an index. */
  find(partId: number): number {
    return this.#pages[partId >>> pageBits]?.[partId & (pageSize - 1)] ?? 0;
  }

  /** Returns the index of the part, and assigns one when it has none. */
  add(partId: number): number {
    const page = (this.#pages[partId >>> pageBits] ??= new Uint32Array(pageSize));
    const offset = partId & (pageSize - 1);
    const known = page[offset] ?? 0;
    if (known !== 0) return known;
    this.#last += 1;
    page[offset] = this.#last;
    return this.#last;
  }
}

/** Returns the array, or a larger copy when it has no element at this index. */
export function withRoom<Numbers extends Uint8Array | Uint32Array>(
  numbers: Numbers,
  index: number,
): Numbers {
  if (index < numbers.length) return numbers;
  const larger = new (numbers.constructor as new (size: number) => Numbers)(2 * (index + 1));
  larger.set(numbers);
  return larger;
}

type SeverityCount = 'critical' | 'important' | 'moderate' | 'low' | 'unspecified';

interface CountedRecord {
  readonly missingId: number;
  readonly severity: SeverityCount;
  readonly exploited: boolean;
}

/** Marks of a part. */
const judgedPart = 1;
const cataloguedPart = 2;

export class CountedParts {
  readonly #indexes = new PartIndexes();
  /** By the index of a part: its marks, and the begin and end of its entries in #missing. */
  #marks = new Uint8Array(1024);
  #begins = new Uint32Array(1024);
  #ends = new Uint32Array(1024);
  /** Entries of all parts: the index of the record, and the state in the lowest two bits. */
  #missing = new Uint32Array(4096);
  #missingEnd = 0;
  readonly #records: CountedRecord[] = [];
  readonly #recordIndexes = new Map<number, number>();
  /** By the index of a record: the last machine that misses it, and the state. */
  #machines = new Uint32Array(1024);
  #states = new Uint8Array(1024);
  /** The indexes of the records that the machine misses. */
  #missed = new Uint32Array(1024);
  #machine = 0;

  isJudged(partId: number): boolean {
    return ((this.#marks[this.#indexes.find(partId)] ?? 0) & judgedPart) !== 0;
  }

  areJudged(parts: readonly number[]): boolean {
    for (const partId of parts) if (!this.isJudged(partId)) return false;
    return true;
  }

  /** Returns those of the missing records that are not added yet. */
  unknownRecords(missingIds: Iterable<number>): readonly number[] {
    return [...new Set(missingIds)].filter((id) => !this.#recordIndexes.has(id));
  }

  addRecords(records: ReadonlyMap<number, RecordStanding>): void {
    for (const [missingId, { severity, exploited }] of records) {
      this.#recordIndexes.set(missingId, this.#records.length);
      this.#records.push({ missingId, severity: severityCount(severity), exploited });
    }
    const size = this.#records.length;
    if (size <= this.#machines.length) return;
    this.#machines = new Uint32Array(2 * size);
    this.#states = new Uint8Array(2 * size);
    this.#missed = new Uint32Array(2 * size);
    this.#machine = 0;
  }

  /** Requires that the records that the parts miss were added. Records that do not exist any more are skipped. */
  addParts(parts: ReadonlyMap<number, PartStanding>): void {
    for (const [partId, { judged, catalogued, missing }] of parts) {
      const index = this.#indexes.add(partId);
      this.#marks = withRoom(this.#marks, index);
      this.#begins = withRoom(this.#begins, index);
      this.#ends = withRoom(this.#ends, index);
      this.#missing = withRoom(this.#missing, this.#missingEnd + missing.length);
      this.#marks[index] = (judged ? judgedPart : 0) | (catalogued === true ? cataloguedPart : 0);
      this.#begins[index] = this.#missingEnd;
      for (const { missingId, state } of missing) {
        const record = this.#recordIndexes.get(missingId);
        if (record === undefined) continue;
        this.#missing[this.#missingEnd] = record * 4 + state;
        this.#missingEnd += 1;
      }
      this.#ends[index] = this.#missingEnd;
    }
  }

  /** @param isAccepted Null when no record is accepted. */
  countMissing(
    parts: readonly number[],
    isAccepted: ((missingId: number) => boolean) | null,
  ): MachineCounts {
    const { missed, catalogued } = this.#missedBy(parts);
    const counts = { ...noCounts, notJudged: !catalogued };
    const [records, states, recordIndexes] = [this.#records, this.#states, this.#missed];
    for (let at = 0; at < missed; at += 1) {
      const index = recordIndexes[at] ?? 0;
      const record = records[index];
      if (record === undefined) continue;
      const state = states[index];
      if (isAccepted?.(record.missingId) === true) counts.accepted += 1;
      else if (state === certain) {
        counts.missing += 1;
        counts[record.severity] += 1;
        if (record.exploited) counts.exploited += 1;
      } else if (state === needsSubscription) counts.needsSubscription += 1;
      else counts.uncertain += 1;
    }
    return counts;
  }

  /** Returns the ids of the records that these parts miss in any state. */
  missedRecords(parts: readonly number[]): ReadonlySet<number> {
    const { missed } = this.#missedBy(parts);
    const ids = new Set<number>();
    for (const index of this.#missed.subarray(0, missed)) {
      const record = this.#records[index];
      if (record !== undefined) ids.add(record.missingId);
    }
    return ids;
  }

  /**
   * Returns how many records of #missed the machine misses. Fields are read once: this runs for each missing record of each
   * machine.
   */
  #missedBy(parts: readonly number[]): { readonly missed: number; readonly catalogued: boolean } {
    this.#machine += 1;
    const machine = this.#machine;
    const [machines, bests, records] = [this.#machines, this.#states, this.#missed];
    const [marks, begins, ends, entries] = [this.#marks, this.#begins, this.#ends, this.#missing];
    const partIndexes = this.#indexes;
    let [missed, catalogued] = [0, false];
    for (const partId of parts) {
      const part = partIndexes.find(partId);
      catalogued ||= ((marks[part] ?? 0) & cataloguedPart) !== 0;
      const end = ends[part] ?? 0;
      for (let at = begins[part] ?? 0; at < end; at += 1) {
        const entry = entries[at] ?? 0;
        const record = entry >>> 2;
        const state = entry & 3;
        if (machines[record] !== machine) {
          machines[record] = machine;
          bests[record] = state;
          records[missed] = record;
          missed += 1;
        } else if (state > (bests[record] ?? 0)) bests[record] = state;
      }
    }
    return { missed, catalogued };
  }
}

const certain = missingStates.indexOf('missing');
const needsSubscription = missingStates.indexOf('needsSubscription');

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

export function severityCount(severity: string | null): SeverityCount {
  switch (severity) {
    case 'Critical':
      return 'critical';
    case 'Important':
      return 'important';
    case 'Moderate':
      return 'moderate';
    case 'Low':
      return 'low';
    default:
      return 'unspecified';
  }
}
