/** Bytes that are only ever appended, in blocks of one size: growing copies nothing. */

export const blockSize = 1 << 20;
const blockBits = 20;

export class BytePool {
  readonly #blocks: Uint8Array[] = [];
  /** Of the next free byte, over all blocks. */
  #end = 0;

  /** Of all blocks, filled or not. */
  get bytes(): number {
    return this.#blocks.length * blockSize;
  }

  /** So many bytes side by side, all 0; their address. At most one block. */
  reserve(length: number): number {
    const left = this.#blocks.length * blockSize - this.#end;
    if (left < length) {
      this.#end = this.#blocks.length * blockSize;
      this.#blocks.push(new Uint8Array(blockSize));
    }
    const address = this.#end;
    this.#end += length;
    return address;
  }

  at(address: number): number {
    return this.#blocks[address >>> blockBits]?.[address & (blockSize - 1)] ?? 0;
  }

  set(address: number, byte: number): void {
    const block = this.#blocks[address >>> blockBits];
    if (block !== undefined) block[address & (blockSize - 1)] = byte;
  }

  /** The block that holds the address, for readers that stay in it. */
  blockOf(address: number): Uint8Array {
    return this.#blocks[address >>> blockBits] ?? new Uint8Array();
  }
}

export const placeInBlock = (address: number): number => address & (blockSize - 1);
