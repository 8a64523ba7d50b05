/** Sends the state of the sources to all listeners when it changes. The database is read only while there are listeners, once for all of them. */
import type { SourceKey } from '@patch/catalogue/sources.ts';
import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import type { SyncEvent } from '@patch/contract/sync-events-endpoint.ts';
import type { Notifications } from '../../platform/database/notifications.ts';
import { SharedRead } from '../../platform/database/shared-read.ts';

export interface SyncEventsOptions {
  readonly states: () => Promise<readonly SourceState[]>;
  readonly notifications: Notifications;
  readonly onError: (error: unknown) => void;
}

/** While a sync writes, its progress and its lists change many times a second. */
const minGapMs = 1000;

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
  readonly #states: SharedRead<readonly SourceState[]>;
  /** Null while nobody listens. */
  #known: readonly SourceState[] | null = null;
  #unsubscribe: () => void = () => undefined;

  constructor(options: SyncEventsOptions) {
    this.#options = options;
    this.#states = new SharedRead(options.states);
  }

  /** Yields all sources first, then each one that has changed. Ends when the signal is aborted. */
  async *listen(signal: AbortSignal): AsyncGenerator<SyncEvent> {
    if (signal.aborted) return;
    const listener: Listener = { waiting: new Map(), begun: false, wake: () => undefined };
    const woken = () => new Promise<void>((resolve) => (listener.wake = resolve));
    let awake = woken();
    const leave = () => listener.wake();
    signal.addEventListener('abort', leave, { once: true });
    this.#enter(listener);
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
      this.#leave(listener);
    }
  }

  #enter(listener: Listener): void {
    this.#listeners.add(listener);
    if (this.#known !== null) listener.wake();
    if (this.#listeners.size > 1) return;
    this.#unsubscribe = this.#options.notifications.subscribe(
      ['runs', 'run_progress', 'sources', 'lists'],
      () => void this.#look(),
      minGapMs,
    );
    void this.#look();
  }

  #leave(listener: Listener): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return;
    this.#unsubscribe();
    this.#known = null;
  }

  async #look(): Promise<void> {
    try {
      this.#publish(await this.#states.now());
    } catch (error) {
      // Listeners keep the last known state; the next notification or poll reads again.
      this.#options.onError(error);
    }
  }

  #publish(now: readonly SourceState[]): void {
    if (this.#listeners.size === 0) return;
    const before = new Map(this.#known?.map((state) => [state.source, JSON.stringify(state)]));
    const changed = now.filter((state) => before.get(state.source) !== JSON.stringify(state));
    this.#known = now;
    for (const listener of this.#listeners) {
      for (const state of changed) listener.waiting.set(state.source, state);
      if (changed.length > 0 || !listener.begun) listener.wake();
    }
  }
}
