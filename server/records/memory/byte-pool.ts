/** Append-only bytes in blocks of one size, so that growing copies nothing. */

export const blockSize = 1 << 20;
const blockBits = 20;

export class BytePool {
  readonly #blocks: Uint8Array[] = [];
  /** Address of the next free byte. */
  #end = 0;

  /** Size of all blocks, including their free bytes. */
  get bytes(): number {
    return this.#blocks.length * blockSize;
  }

  /** Reserves adjacent zero bytes, at most one block, and returns their address. */
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

  get(address: number): number {
    return this.#blocks[address >>> blockBits]?.[address & (blockSize - 1)] ?? 0;
  }

  set(address: number, byte: number): void {
    const block = this.#blocks[address >>> blockBits];
    if (block !== undefined) block[address & (blockSize - 1)] = byte;
  }

  /** Returns the block of an address, for readers of several bytes. */
  getBlock(address: number): Uint8Array {
    return this.#blocks[address >>> blockBits] ?? new Uint8Array();
  }
}

export const getOffsetInBlock = (address: number): number => address & (blockSize - 1);
