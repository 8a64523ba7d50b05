/** Sends the state of the sources to all listeners when it changes. The database is polled only while there are listeners, once for all of them. */
import { setTimeout as after } from 'node:timers/promises';
import type { SourceKey } from '@patch/catalogue/sources.ts';
import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import type { SyncEvent } from '@patch/contract/sync-events-endpoint.ts';

export interface SyncEventsOptions {
  readonly states: () => Promise<readonly SourceState[]>;
  readonly onError: (error: unknown) => void;
  readonly times?: { readonly whileRunning: number; readonly otherwise: number };
}

/** Polling interval in milliseconds. */
const usualTimes = { whileRunning: 1000, otherwise: 3000 };

/** What one listener has not received yet: only the latest state of each source. */
interface Listener {
  readonly waiting: Map<SourceKey, SourceState>;
  /** All sources are sent first, together. */
  begun: boolean;
  wake: () => void;
}

export class SyncEvents {
  readonly #options: SyncEventsOptions;
  readonly #listeners = new Set<Listener>();
  #known: readonly SourceState[] | null = null;
  #watching = false;
  #wake = new AbortController();

  constructor(options: SyncEventsOptions) {
    this.#options = options;
  }

  /** Something has just changed here: poll at once. */
  notify(): void {
    this.#wake.abort();
  }

  /** Yields all sources first, then each one that has changed. Ends when the signal is aborted. */
  async *listen(signal: AbortSignal): AsyncGenerator<SyncEvent> {
    if (signal.aborted) return;
    const listener: Listener = { waiting: new Map(), begun: false, wake: () => undefined };
    const woken = () => new Promise<void>((resolve) => (listener.wake = resolve));
    let awake = woken();
    const leave = () => listener.wake();
    signal.addEventListener('abort', leave, { once: true });
    this.#listeners.add(listener);
    // Known only while there are listeners; the first listener waits for the first poll.
    if (this.#known !== null) listener.wake();
    this.#watch();
    try {
      while (!signal.aborted) {
        await awake;
        awake = woken();
        if (signal.aborted) return;
        if (!listener.begun && this.#known !== null) {
          listener.begun = true;
          listener.waiting.clear();
          yield { event: 'sources', data: { objList: [...this.#known] } };
        }
        for (const [source, state] of listener.waiting) {
          listener.waiting.delete(source);
          yield { event: 'source', data: state };
        }
      }
    } finally {
      signal.removeEventListener('abort', leave);
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#wake.abort();
    }
  }

  #watch(): void {
    if (this.#watching) return;
    this.#watching = true;
    void this.#look().finally(() => {
      this.#watching = false;
      this.#known = null;
      if (this.#listeners.size > 0) this.#watch();
    });
  }

  async #look(): Promise<void> {
    const { states, onError, times = usualTimes } = this.#options;
    while (this.#listeners.size > 0) {
      this.#wake = new AbortController();
      try {
        this.#tell(await states());
      } catch (error) {
        // Listeners keep the last known state; the next poll may succeed.
        onError(error);
      }
      const running =
        this.#known?.some(({ run }) => run?.state === 'running' || run?.state === 'queued') ??
        false;
      await after(running ? times.whileRunning : times.otherwise, undefined, {
        signal: this.#wake.signal,
      }).catch(() => undefined);
    }
  }

  #tell(now: readonly SourceState[]): void {
    const before = new Map(this.#known?.map((state) => [state.source, JSON.stringify(state)]));
    const changed = now.filter((state) => before.get(state.source) !== JSON.stringify(state));
    this.#known = now;
    for (const listener of this.#listeners) {
      for (const state of changed) listener.waiting.set(state.source, state);
      if (changed.length > 0 || !listener.begun) listener.wake();
    }
  }
}
