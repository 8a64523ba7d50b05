/** The digest of a list, and the part of each record in it, which both ends keep by id. */
import { hash } from 'node:crypto';

const partBytes = 16;
const modulus = 1n << 128n;

/** Returns the part of a line (without its line feed) in its list's digest. */
export const linePart = (line: string | Uint8Array): Buffer =>
  hash('sha256', line, 'buffer').subarray(0, partBytes);

const numberOf = (part: Uint8Array): bigint => BigInt(`0x${Buffer.from(part).toString('hex')}`);

const writeDigest = (sum: bigint): string => sum.toString(16).padStart(32, '0');

/** Changes of a list in ascending order of ids, each at most once; compact, since there can be millions. */
export class PartChanges {
  #ids = new Float64Array(64);
  #parts = Buffer.alloc(64 * partBytes);
  #listed = new Uint8Array(64);
  length = 0;

  /** @param part - Null removes the record. */
  add(id: number, part: Uint8Array | null): void {
    if (this.length === this.#ids.length) this.#grow();
    this.#ids[this.length] = id;
    this.#listed[this.length] = part === null ? 0 : 1;
    if (part !== null) this.#parts.set(part, this.length * partBytes);
    this.length += 1;
  }

  idAt(index: number): number {
    return this.#ids[index] ?? 0;
  }

  partAt(index: number): Uint8Array | null {
    return this.#listed[index] === 1
      ? this.#parts.subarray(index * partBytes, (index + 1) * partBytes)
      : null;
  }

  #grow(): void {
    const size = this.#ids.length * 2;
    const [ids, parts, listed] = [this.#ids, this.#parts, this.#listed];
    this.#ids = new Float64Array(size);
    this.#parts = Buffer.alloc(size * partBytes);
    this.#listed = new Uint8Array(size);
    this.#ids.set(ids);
    this.#parts.set(parts);
    this.#listed.set(listed);
  }
}

/** Parts of a list's records by id, in ascending order: 24 bytes for each. */
export class ListParts {
  readonly #ids: Float64Array;
  readonly #parts: Buffer;
  readonly digest: string;

  /** @param parts - 16 bytes for each id. */
  private constructor(ids: Float64Array, parts: Buffer, digest: string) {
    this.#ids = ids;
    this.#parts = parts;
    this.digest = digest;
  }

  static readonly empty = new ListParts(new Float64Array(0), Buffer.alloc(0), writeDigest(0n));

  /** Reads what `write` has written on the same machine, and keeps the bytes. Returns null for another length. */
  static read(bytes: Uint8Array, digest: string): ListParts | null {
    const rows = bytes.length / (8 + partBytes);
    if (!Number.isInteger(rows)) return null;
    const ids = new Float64Array(rows);
    Buffer.from(ids.buffer).set(bytes.subarray(0, rows * 8));
    const { buffer, byteOffset } = bytes;
    return new ListParts(ids, Buffer.from(buffer, byteOffset + rows * 8, rows * partBytes), digest);
  }

  /** Returns the pieces of a file: ids in the byte order of the machine, then parts. */
  write(): readonly Buffer[] {
    return [Buffer.from(this.#ids.buffer), this.#parts];
  }

  get rows(): number {
    return this.#ids.length;
  }

  /** Returns the part of a record; null when it is not listed. */
  get(id: number): Uint8Array | null {
    let [low, high] = [0, this.rows - 1];
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = this.#ids[middle] ?? 0;
      if (found === id) return this.#partAt(middle);
      if (found < id) low = middle + 1;
      else high = middle - 1;
    }
    return null;
  }

  #partAt(row: number): Uint8Array {
    return this.#parts.subarray(row * partBytes, (row + 1) * partBytes);
  }

  change(changes: PartChanges): ListParts {
    const rows = this.#rowsAfter(changes);
    const ids = new Float64Array(rows);
    const parts = Buffer.alloc(rows * partBytes);
    let sum = BigInt(`0x${this.digest}`);
    let [row, written] = [0, 0];
    const copyUntil = (id: number) => {
      const begin = row;
      while (row < this.rows && (this.#ids[row] ?? 0) < id) row += 1;
      ids.set(this.#ids.subarray(begin, row), written);
      parts.set(this.#parts.subarray(begin * partBytes, row * partBytes), written * partBytes);
      written += row - begin;
    };
    for (let index = 0; index < changes.length; index += 1) {
      const id = changes.idAt(index);
      const part = changes.partAt(index);
      copyUntil(id);
      if (row < this.rows && this.#ids[row] === id) {
        sum -= numberOf(this.#partAt(row));
        row += 1;
      }
      if (part === null) continue;
      sum += numberOf(part);
      ids[written] = id;
      parts.set(part, written * partBytes);
      written += 1;
    }
    copyUntil(Number.POSITIVE_INFINITY);
    return new ListParts(ids, parts, writeDigest(((sum % modulus) + modulus) % modulus));
  }

  #rowsAfter(changes: PartChanges): number {
    let rows = this.rows;
    for (let index = 0; index < changes.length; index += 1) {
      const wasListed = this.get(changes.idAt(index)) !== null;
      const isListed = changes.partAt(index) !== null;
      rows += Number(isListed) - Number(wasListed);
    }
    return rows;
  }
}
