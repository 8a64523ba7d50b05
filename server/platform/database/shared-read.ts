/**
 * One reading for all who ask at the same time. A caller never gets a reading that began before it asked, so that what it is told is
 * true at a moment after that; and however many ask, one reading runs and one waits.
 */
export class SharedRead<T> {
  readonly #read: () => Promise<T>;
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<T> | null = null;

  /** `read` may reject; only those who wait for that reading are told. */
  constructor(read: () => Promise<T>) {
    this.#read = read;
  }

  now(): Promise<T> {
    if (this.#next !== null) return this.#next;
    const next = this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = null;
        return this.#read();
      });
    this.#next = next;
    this.#running = next;
    return next;
  }
}
