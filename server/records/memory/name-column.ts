/** Hashes of the names of all rows of a list in memory, to find the rows whose name equals a text. */
import { getNameStem } from '../criteria/match-rank.ts';
import { RowSet } from './row-set.ts';
import { ValueOrder } from './value-order.ts';
import { grow } from './word-column.ts';

/** Two hashes of 32 bits: in a list of ten million names, two different ones are equal with a probability of 5 in a million. */
interface Hash {
  readonly first: number;
  readonly second: number;
}

export class NameColumn {
  readonly #names = new HashedTexts();
  /** Of the names that end with a version. */
  readonly #stems = new HashedTexts();

  get bytes(): number {
    return this.#names.bytes + this.#stems.bytes;
  }

  set(position: number, name: string | null): void {
    this.#names.set(position, name);
    this.#stems.set(position, name === null ? null : getNameStem(name));
  }

  /** Returns the rows below position `rows` whose name is one of the texts. */
  find(names: readonly string[], rows: number): RowSet {
    return this.#names.find(names, rows);
  }

  /** Returns the rows below position `rows` whose name is one of the texts and a version: `openssl 3.0.22-1`. */
  findStems(stems: readonly string[], rows: number): RowSet {
    return this.#stems.find(stems, rows);
  }

  /** Moves the row at `order[position]` to `position`. */
  reorder(order: Uint32Array): void {
    this.#names.reorder(order);
    this.#stems.reorder(order);
  }
}

/** Has room up to the last row with a text. */
class HashedTexts {
  #first = new Uint32Array();
  #second = new Uint32Array();
  readonly #order = new ValueOrder();

  get bytes(): number {
    return this.#first.byteLength + this.#second.byteLength + this.#order.bytes;
  }

  set(position: number, text: string | null): void {
    this.#write(position, text === null ? noHash : hashText(text));
  }

  find(texts: readonly string[], rows: number): RowSet {
    const found = new Set<number>();
    for (const text of texts) {
      const { first, second } = hashText(text);
      for (const position of this.#order.range(this.#first, [first, first]))
        if (position < rows && this.#second[position] === second) found.add(position);
    }
    return RowSet.fromPositions(Uint32Array.from(found), rows);
  }

  reorder(order: Uint32Array): void {
    const [firsts, seconds] = [this.#first.slice(), this.#second.slice()];
    for (const [position, from] of order.entries())
      if (position !== from)
        this.#write(position, { first: firsts[from] ?? 0, second: seconds[from] ?? 0 });
  }

  #write(position: number, { first, second }: Hash): void {
    if (position >= this.#first.length) {
      if (second === noHash.second) return;
      this.#first = grow(this.#first, position);
      this.#second = grow(this.#second, position);
    }
    this.#first[position] = first;
    this.#second[position] = second;
    this.#order.change(position);
  }
}

/** Of a row without a text. */
const noHash: Hash = { first: 0, second: 0 };

/** FNV-1a over the code units, from two starts. No text has the hash of a row without one. */
function hashText(text: string): Hash {
  let first = 0x811c_9dc5;
  let second = 0x9e37_79b9;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    first = Math.imul(first ^ unit, 0x0100_0193);
    second = Math.imul(second ^ unit, 0x85eb_ca6b);
    second ^= second >>> 15;
  }
  return { first: first >>> 0, second: (second | 1) >>> 0 };
}
