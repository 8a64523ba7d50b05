/** The digest of a list, and the part of each record in it, which both ends keep by id. */
import { hash } from 'node:crypto';

const partBytes = 16;
const modulus = 1n << 128n;

/** Returns the part of a line (without its line feed) in its list's digest. */
export const linePart = (line: string | Uint8Array): Buffer =>
  hash('sha256', line, 'buffer').subarray(0, partBytes);

const numberOf = (part: Uint8Array): bigint => BigInt(`0x${Buffer.from(part).toString('hex')}`);

export const writeDigest = (sum: bigint): string => sum.toString(16).padStart(32, '0');

/** Records of a list by id, in ascending order: 24 bytes for each. */
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

  /** Reads what `write` has written. Returns null for anything else. */
  static read(bytes: Uint8Array, rows: number, digest: string): ListParts | null {
    if (bytes.length !== rows * 24) return null;
    const ids = new Float64Array(rows);
    Buffer.from(ids.buffer).set(bytes.subarray(0, rows * 8));
    const parts = Buffer.from(bytes.subarray(rows * 8));
    let sum = 0n;
    for (let row = 0; row < rows; row += 1)
      sum += numberOf(parts.subarray(row * partBytes, (row + 1) * partBytes));
    return writeDigest(sum % modulus) === digest ? new ListParts(ids, parts, digest) : null;
  }

  /** In the byte order of the machine: the copy of another machine is not read. */
  write(): Buffer {
    return Buffer.concat([Buffer.from(this.#ids.buffer), this.#parts]);
  }

  get rows(): number {
    return this.#ids.length;
  }

  /** Returns the part of a record; null when it is not listed. */
  get(id: number): Uint8Array | null {
    let [low, high] = [0, this.#ids.length - 1];
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

  /** Returns the parts after changes: in ascending order of ids, each at most once; a part of null removes the record. */
  change(changes: readonly { readonly id: number; readonly part: Uint8Array | null }[]): ListParts {
    const most = this.rows + changes.length;
    const ids = new Float64Array(most);
    const parts = Buffer.alloc(most * partBytes);
    let sum = BigInt(`0x${this.digest}`);
    let [row, written] = [0, 0];
    const add = (id: number, part: Uint8Array) => {
      ids[written] = id;
      parts.set(part, written * partBytes);
      written += 1;
    };
    const copyUntil = (id: number) => {
      for (; row < this.rows && (this.#ids[row] ?? 0) < id; row += 1)
        add(this.#ids[row] ?? 0, this.#partAt(row));
    };
    for (const { id, part } of changes) {
      copyUntil(id);
      if (row < this.rows && this.#ids[row] === id) {
        sum -= numberOf(this.#partAt(row));
        row += 1;
      }
      if (part !== null) {
        sum += numberOf(part);
        add(id, part);
      }
    }
    copyUntil(Number.POSITIVE_INFINITY);
    const digest = writeDigest(((sum % modulus) + modulus) % modulus);
    return new ListParts(
      ids.slice(0, written),
      Buffer.from(parts.subarray(0, written * partBytes)),
      digest,
    );
  }
}
