/** Writes a bzip2 file, for tests: well formed, and hardly smaller than what is in it. */

const blockSize = 90_000;
const runA = 0;
const runB = 1;
/** Symbols that one selector is for. */
const groupSize = 50;

export function bzip2From(content: Uint8Array): Buffer {
  const bits = new BitWriter();
  for (const byte of Buffer.from('BZh9')) bits.write(byte, 8);
  let streamSum = 0;
  for (let at = 0; at < content.length; at += blockSize) {
    const block = content.subarray(at, at + blockSize);
    const sum = sumOf(block);
    streamSum = (((streamSum << 1) | (streamSum >>> 31)) ^ sum) >>> 0;
    writeBlock(bits, block, sum);
  }
  bits.write(0x177245, 24);
  bits.write(0x385090, 24);
  bits.write32(streamSum);
  return bits.end();
}

function writeBlock(bits: BitWriter, block: Uint8Array, sum: number): void {
  const { last, start } = sortedRotations(withRunLengths(block));
  const used = [...new Set(last)].toSorted((a, b) => a - b);
  const endOfBlock = used.length + 1;
  const symbols = [...movedToFront(last, used), endOfBlock];
  bits.write(0x314159, 24);
  bits.write(0x265359, 24);
  bits.write32(sum);
  bits.write(0, 1);
  bits.write(start, 24);
  writeUsed(bits, new Set(used));
  // Two tables, the least there can be, both alike: every symbol has as many bits as the longest needs.
  const length = Math.max(1, Math.ceil(Math.log2(endOfBlock + 1)));
  const selectors = Math.ceil(symbols.length / groupSize);
  bits.write(2, 3);
  bits.write(selectors, 15);
  for (let selector = 0; selector < selectors; selector++) bits.write(0, 1);
  for (let table = 0; table < 2; table++) {
    bits.write(length, 5);
    for (let symbol = 0; symbol <= endOfBlock; symbol++) bits.write(0, 1);
  }
  for (const symbol of symbols) bits.write(symbol, length);
}

/** Four bytes alike are followed by how many more there are. */
function withRunLengths(block: Uint8Array): Uint8Array {
  const written: number[] = [];
  for (let at = 0; at < block.length; ) {
    const byte = block[at] ?? 0;
    let run = 1;
    while (run < 255 && block[at + run] === byte) run++;
    for (let place = 0; place < Math.min(run, 4); place++) written.push(byte);
    if (run >= 4) written.push(run - 4);
    at += run;
  }
  return Uint8Array.from(written);
}

/** The last column of all rotations in order, and the row of the block itself. Ranks double in length until they tell all apart. */
function sortedRotations(block: Uint8Array): { readonly last: Uint8Array; readonly start: number } {
  const { length } = block;
  const order = Array.from(block, (_, place) => place);
  let ranks = Array.from(block);
  for (let span = 1; ; span *= 2) {
    const second = (place: number) => ranks[(place + span) % length] ?? 0;
    order.sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0) || second(a) - second(b));
    const next = Array.from<number>({ length }).fill(0);
    for (let row = 1; row < length; row++) {
      const [before = 0, place = 0] = [order[row - 1], order[row]];
      const same = ranks[before] === ranks[place] && second(before) === second(place);
      next[place] = (next[before] ?? 0) + (same ? 0 : 1);
    }
    ranks = next;
    if (span >= length || ranks[order.at(-1) ?? 0] === length - 1) break;
  }
  return {
    last: Uint8Array.from(order, (place) => block[(place + length - 1) % length] ?? 0),
    start: order.indexOf(0),
  };
}

/** The first symbol of the list has its repetitions counted in twos. */
function movedToFront(bytes: Uint8Array, used: readonly number[]): number[] {
  const list = [...used];
  const symbols: number[] = [];
  let zeros = 0;
  const endRun = () => {
    for (let rest = zeros; rest > 0; rest = Math.floor((rest - 1) / 2))
      symbols.push(rest % 2 === 1 ? runA : runB);
    zeros = 0;
  };
  for (const byte of bytes) {
    const place = list.indexOf(byte);
    if (place === 0) {
      zeros++;
      continue;
    }
    endRun();
    symbols.push(place + 1);
    list.splice(place, 1);
    list.unshift(byte);
  }
  endRun();
  return symbols;
}

function writeUsed(bits: BitWriter, used: ReadonlySet<number>): void {
  const groups = Array.from({ length: 16 }, (_, group) =>
    Array.from({ length: 16 }, (__, place) => used.has(group * 16 + place)),
  );
  for (const group of groups) bits.write(group.includes(true) ? 1 : 0, 1);
  for (const group of groups)
    if (group.includes(true)) for (const present of group) bits.write(present ? 1 : 0, 1);
}

/** CRC-32 with the highest bit first. */
function sumOf(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum = (sum ^ (byte << 24)) >>> 0;
    for (let bit = 0; bit < 8; bit++)
      sum = ((sum & 0x80000000) === 0 ? sum << 1 : (sum << 1) ^ 0x04c11db7) >>> 0;
  }
  return ~sum >>> 0;
}

class BitWriter {
  readonly #bytes: number[] = [];
  #current = 0;
  #filled = 0;

  write(value: number, bits: number): void {
    for (let bit = bits - 1; bit >= 0; bit--) {
      this.#current = (this.#current << 1) | ((value >>> bit) & 1);
      this.#filled++;
      if (this.#filled === 8) {
        this.#bytes.push(this.#current);
        this.#current = 0;
        this.#filled = 0;
      }
    }
  }

  write32(value: number): void {
    this.write(value >>> 16, 16);
    this.write(value & 0xffff, 16);
  }

  end(): Buffer {
    while (this.#filled !== 0) this.write(0, 1);
    return Buffer.from(this.#bytes);
  }
}
