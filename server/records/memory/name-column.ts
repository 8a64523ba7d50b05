/** Hashes of the names of all rows of a list in memory, to find the rows whose name equals a text. */
import { RowSet } from './row-set.ts';
import { getCapacity } from './word-column.ts';

/** Two hashes of 32 bits: in a list of ten million names, two different ones are equal with a probability of 5 in a million. */
interface Hash {
  readonly first: number;
  readonly second: number;
}

export class NameColumn {
  #first = new Uint32Array(getCapacity(0));
  #second = new Uint32Array(getCapacity(0));

  get bytes(): number {
    return this.#first.byteLength + this.#second.byteLength;
  }

  set(position: number, name: string | null): void {
    if (position >= this.#first.length) {
      this.#first = grow(this.#first, position);
      this.#second = grow(this.#second, position);
    }
    const { first, second } = name === null ? { first: 0, second: 0 } : hashName(name);
    this.#first[position] = first;
    this.#second[position] = second;
  }

  /** Returns the rows below position `rows` whose name is the text. */
  find(name: string, rows: number): RowSet {
    const { first, second } = hashName(name);
    const found = new RowSet(rows);
    for (
      let position = this.#first.indexOf(first);
      position >= 0 && position < rows;
      position = this.#first.indexOf(first, position + 1)
    )
      if (this.#second[position] === second) found.add(position);
    return found;
  }

  /** Moves the row at `order[position]` to `position`. */
  reorder(order: Uint32Array): void {
    const [first, second] = [this.#first.slice(), this.#second.slice()];
    for (const [position, from] of order.entries()) {
      this.#first[position] = first[from] ?? 0;
      this.#second[position] = second[from] ?? 0;
    }
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

function grow(hashes: Uint32Array, position: number): Uint32Array<ArrayBuffer> {
  const wider = new Uint32Array(getCapacity(position));
  wider.set(hashes);
  return wider;
}
