/** How many rows a batch takes: as many as were written in the time that one may block the embedded database's only session. */

/** A batch that takes longer is too large. Milliseconds; less than half of what a first page may take. */
const maxBatchMs = 40;

export class BatchSize {
  #rows: number;
  readonly #least: number;
  readonly #most: number;

  /** Begins with the least, so that the first batch cannot be too large. */
  constructor({ least, most }: { readonly least: number; readonly most: number }) {
    this.#rows = least;
    this.#least = least;
    this.#most = most;
  }

  get rows(): number {
    return this.#rows;
  }

  /** Runs a batch and takes its time for the size of the next one. */
  async timed<T>(batch: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    const result = await batch();
    const took = performance.now() - begun;
    if (took > maxBatchMs) this.#rows = Math.max(this.#least, Math.floor(this.#rows / 2));
    else if (took < maxBatchMs / 2) this.#rows = Math.min(this.#most, this.#rows * 2);
    return result;
  }
}
