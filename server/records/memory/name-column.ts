/** Hashes of the names of all rows of a list in memory, to find the rows whose name equals a text. */
import { getNameStem } from '../criteria/match-rank.ts';
import { RowSet } from './row-set.ts';
import { ValueOrder } from './value-order.ts';
import { getCapacity, grow } from './word-column.ts';

/** Two hashes of 32 bits: in a list of ten million names, two different ones are equal with a probability of 5 in a million. */
interface Hash {
  readonly first: number;
  readonly second: number;
}

export class NameColumn {
  #first = new Uint32Array(getCapacity(0));
  #second = new Uint32Array(getCapacity(0));
  readonly #order = new ValueOrder();
  /** By position, for the few names that end with a version. */
  #stems = new Map<number, string>();

  get bytes(): number {
    return this.#first.byteLength + this.#second.byteLength + this.#order.bytes;
  }

  set(position: number, name: string | null): void {
    if (position >= this.#first.length) {
      this.#first = grow(this.#first, position);
      this.#second = grow(this.#second, position);
    }
    const { first, second } = name === null ? { first: 0, second: 0 } : hashName(name);
    this.#first[position] = first;
    this.#second[position] = second;
    this.#order.change(position);
    const stem = getNameStem(name ?? '');
    if (stem === null) this.#stems.delete(position);
    else this.#stems.set(position, stem);
  }

  /** Returns the rows below position `rows` whose name is one of the texts and a version: `openssl 3.0.22-1`. */
  findStems(stems: readonly string[], rows: number): RowSet {
    const found = new RowSet(rows);
    for (const [position, stem] of this.#stems)
      if (position < rows && stems.includes(stem)) found.add(position);
    return found;
  }

  /** Returns the rows below position `rows` whose name is one of the texts. */
  find(names: readonly string[], rows: number): RowSet {
    const found = new Set<number>();
    for (const name of names) {
      const { first, second } = hashName(name);
      for (const position of this.#order.range(this.#first, [first, first]))
        if (position < rows && this.#second[position] === second) found.add(position);
    }
    return RowSet.fromPositions(Uint32Array.from(found), rows);
  }

  /** Moves the row at `order[position]` to `position`. */
  reorder(order: Uint32Array): void {
    const [first, second] = [this.#first.slice(), this.#second.slice()];
    const stems = new Map<number, string>();
    for (const [position, from] of order.entries()) {
      const stem = this.#stems.get(from);
      if (stem !== undefined) stems.set(position, stem);
      if (position === from) continue;
      this.#first[position] = first[from] ?? 0;
      this.#second[position] = second[from] ?? 0;
      this.#order.change(position);
    }
    this.#stems = stems;
  }
}

/** FNV-1a over the code units, from two starts. No name has the hashes of a row without one. */
function hashName(name: string): Hash {
  let first = 0x811c_9dc5;
  let second = 0x9e37_79b9;
  for (let at = 0; at < name.length; at += 1) {
    const unit = name.charCodeAt(at);
    first = Math.imul(first ^ unit, 0x0100_0193);
    second = Math.imul(second ^ unit, 0x85eb_ca6b);
    second ^= second >>> 15;
  }
  return { first: first >>> 0, second: (second | 1) >>> 0 };
}
