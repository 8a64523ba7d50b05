/** Groups the parts of machines by what they miss together, which is planned together. */
import type { ActiveExceptions } from '../judgement/missing-exception-store.ts';
import type { MachineToCount } from './machine-count-store.ts';

/** The records that a part certainly misses, by the ids of `missing_record`. */
export interface MissingOfPart {
  readonly partId: number;
  readonly missing: readonly number[];
  /** Whether these are all, without one that is accepted. */
  readonly isWhole: boolean;
}

/** Parts of one kind and release that miss records together. */
export type PartGroup = readonly MissingOfPart[];

/**
 * Finds what the parts of machines miss. Most parts of a machine share no missing record with another part of it: what was concluded of
 * such a part serves every machine that has it.
 */
export class PartGroups {
  readonly #missing: ReadonlyMap<number, readonly number[]>;
  readonly #exceptions: ActiveExceptions;
  /** By part: the group of this part alone, with all that it misses. */
  readonly #alone = new Map<number, readonly [MissingOfPart]>();
  /** By part and by missing record: a number that is equal for all parts that share records, directly or through others. */
  readonly #numberOfPart = new Map<number, number>();
  readonly #numberOfRecord = new Map<number, number>();
  /** By number: the number that replaced it, or itself. */
  readonly #replacedBy: number[] = [];

  /** @param missing The ids of the records that each part certainly misses. More may be added to it. */
  constructor(missing: ReadonlyMap<number, readonly number[]>, exceptions: ActiveExceptions) {
    this.#missing = missing;
    this.#exceptions = exceptions;
  }

  /** Returns the parts of the machine that miss records, without the accepted ones. */
  find({
    clientId,
    id,
    parts,
  }: Pick<MachineToCount, 'clientId' | 'id' | 'parts'>): MissingOfPart[] {
    const exceptions = this.#exceptions;
    const found: MissingOfPart[] = [];
    for (const partId of parts) {
      const all = this.#missing.get(partId);
      if (all === undefined) continue;
      const [whole] = this.#aloneOf(partId, all);
      if (exceptions.isEmpty) found.push(whole);
      else {
        const missing = all.filter((missingId) => !exceptions.covers(clientId, id, missingId));
        if (missing.length === all.length) found.push(whole);
        else if (missing.length > 0) found.push({ partId, missing, isWhole: false });
      }
    }
    return found;
  }

  /**
   * Groups parts of one machine that miss a record together, directly or through others. Each group is planned by itself.
   * @param parts As `find` returns them, or with fewer records.
   */
  group(parts: readonly MissingOfPart[]): PartGroup[] {
    const first = new Map<number, MissingOfPart>();
    const together = new Map<number, MissingOfPart[]>();
    for (const part of parts) {
      const number = this.#current(this.#numberOfPart.get(part.partId) ?? 0);
      const other = first.get(number);
      if (other === undefined) first.set(number, part);
      else {
        const own = together.get(number) ?? [other];
        together.set(number, own);
        own.push(part);
      }
    }
    const groups: PartGroup[] = [];
    for (const [number, part] of first) {
      const own = together.get(number);
      if (own !== undefined) groups.push(...groupParts(own));
      else groups.push((part.isWhole ? this.#alone.get(part.partId) : undefined) ?? [part]);
    }
    return groups;
  }

  #aloneOf(partId: number, missing: readonly number[]): readonly [MissingOfPart] {
    const known = this.#alone.get(partId);
    if (known !== undefined) return known;
    const alone = [{ partId, missing, isWhole: true }] as const;
    this.#alone.set(partId, alone);
    const own = this.#replacedBy.length;
    this.#replacedBy.push(own);
    this.#numberOfPart.set(partId, own);
    for (const missingId of missing) {
      const other = this.#numberOfRecord.get(missingId);
      if (other === undefined) this.#numberOfRecord.set(missingId, own);
      else this.#replacedBy[this.#current(other)] = this.#current(own);
    }
    return alone;
  }

  #current(number: number): number {
    let current = number;
    for (
      let next = this.#replacedBy[current];
      next !== undefined && next !== current;
      next = this.#replacedBy[current]
    ) {
      // Halves the way for the next one.
      this.#replacedBy[current] = this.#replacedBy[next] ?? next;
      current = next;
    }
    return current;
  }
}

/** Joins the groups that share a record, part by part. */
function groupParts(parts: readonly MissingOfPart[]): PartGroup[] {
  const groupOf = new Map<number, MissingOfPart[]>();
  const groups = new Set<MissingOfPart[]>();
  for (const part of parts) {
    const own = [part];
    for (const missingId of part.missing) {
      const known = groupOf.get(missingId);
      if (known === undefined || !groups.delete(known)) continue;
      own.push(...known);
    }
    groups.add(own);
    for (const { missing } of own) for (const missingId of missing) groupOf.set(missingId, own);
  }
  return [...groups];
}
