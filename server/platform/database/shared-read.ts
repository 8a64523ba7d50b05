/**
 * Shares one read among concurrent callers. A caller never gets a read that began before its call, so that the result is not older
 * than the call. At any time, at most one read runs and one waits.
 */
export class SharedRead<T> {
  readonly #read: () => Promise<T>;
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<T> | null = null;

  /** @param read - May reject; this affects only the callers that wait for this read. */
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
