/** Keeps the lease of a row while its work runs: saves its progress, or a heartbeat when there is none. */

const saveIntervalMs = 500;
const heartbeatIntervalMs = 5000;

export class LeaseKeeper {
  readonly #save: (now: number) => Promise<void>;
  readonly #clock: () => number;
  readonly #timer: NodeJS.Timeout;
  #hasProgress = true;
  #savedAt = 0;
  #saving: Promise<void> | null = null;

  /** @param save - Saves the progress and the heartbeat, and finds out whether the row was cancelled or lost. */
  constructor(save: (now: number) => Promise<void>, clock: () => number) {
    this.#save = save;
    this.#clock = clock;
    this.#timer = setInterval(() => this.#keep(), saveIntervalMs);
  }

  noteProgress(): void {
    this.#hasProgress = true;
  }

  /** Nothing is saved after it resolves. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#saving;
  }

  #keep(): void {
    const now = this.#clock();
    const isDue = this.#hasProgress || now - this.#savedAt >= heartbeatIntervalMs;
    if (this.#saving !== null || !isDue) return;
    this.#hasProgress = false;
    this.#savedAt = now;
    // Ignores a failure, because the next update saves the same values.
    this.#saving = this.#save(now)
      .catch(() => undefined)
      .finally(() => {
        this.#saving = null;
      });
  }
}
