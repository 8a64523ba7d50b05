/** Tells everybody who listens how the sources stand, as it changes. The database is looked at only while somebody listens, once for all of them. */
import { setTimeout as after } from 'node:timers/promises';
import type { SourceKey } from '@patch/catalogue/definition/sources.ts';
import type { SyncEvent } from '@patch/contract/source-settings-calls.ts';
import type { SourceState } from '@patch/contract/sync-calls.ts';

export interface SyncEventsOptions {
  readonly states: () => Promise<readonly SourceState[]>;
  readonly onError: (error: unknown) => void;
  readonly times?: { readonly whileRunning: number; readonly otherwise: number };
}

/** Milliseconds between two looks. */
const usualTimes = { whileRunning: 1000, otherwise: 3000 };

/** What one listener has not taken yet: of each source only how it stands now. */
interface Listener {
  readonly waiting: Map<SourceKey, SourceState>;
  /** All of them are told first, together. */
  begun: boolean;
  wake: () => void;
}

export class SyncEvents {
  readonly #options: SyncEventsOptions;
  readonly #listeners = new Set<Listener>();
  #known: readonly SourceState[] | null = null;
  #watching = false;
  #nudge = new AbortController();

  constructor(options: SyncEventsOptions) {
    this.#options = options;
  }

  /** Something has just been changed here: it is looked for at once. */
  nudge(): void {
    this.#nudge.abort();
  }

  /** First all sources, then each that has changed. Ends when the signal is aborted. */
  async *listen(signal: AbortSignal): AsyncGenerator<SyncEvent> {
    if (signal.aborted) return;
    const listener: Listener = { waiting: new Map(), begun: false, wake: () => undefined };
    const woken = () => new Promise<void>((resolve) => (listener.wake = resolve));
    let awake = woken();
    const leave = () => listener.wake();
    signal.addEventListener('abort', leave, { once: true });
    this.#listeners.add(listener);
    // Known only as long as somebody watched; whoever comes first waits for the first look.
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
      if (this.#listeners.size === 0) this.#nudge.abort();
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
      this.#nudge = new AbortController();
      try {
        this.#tell(await states());
      } catch (error) {
        // They keep what they were told last; the next look may succeed.
        onError(error);
      }
      const running = this.#known?.some(({ run }) => run?.state === 'running' || run?.state === 'queued') ?? false;
      await after(running ? times.whileRunning : times.otherwise, undefined, { signal: this.#nudge.signal }).catch(() => undefined);
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
