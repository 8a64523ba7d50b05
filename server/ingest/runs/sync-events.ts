/** Sends changed states of the sources to all listeners. Reads the database only while there are listeners, and once for all of them. */
import type { SourceKey } from '@patch/catalogue/sources.ts';
import type { SourceState } from '@patch/contract/sources/sync-endpoints.ts';
import type { SyncEvent } from '@patch/contract/sources/sync-events-endpoint.ts';
import type { Notifications } from '../../platform/database/notifications.ts';
import { SharedRead } from '../../platform/database/shared-read.ts';

export interface SyncEventsOptions {
  readonly states: () => Promise<readonly SourceState[]>;
  readonly notifications: Notifications;
  readonly onError: (error: unknown) => void;
}

/** Minimum between two reads, because a sync changes its progress and its lists many times a second. */
const minGapMs = 1000;

/** A listener, and the latest state of each source that it has not received yet. */
interface Listener {
  readonly pending: Map<SourceKey, SourceState>;
  /** The first event with all sources has been sent. */
  hasStarted: boolean;
  wake: () => void;
}

export class SyncEvents {
  readonly #options: SyncEventsOptions;
  readonly #listeners = new Set<Listener>();
  readonly #states: SharedRead<readonly SourceState[]>;
  /** Null without listeners. */
  #known: readonly SourceState[] | null = null;
  #unsubscribe: () => void = () => undefined;

  constructor(options: SyncEventsOptions) {
    this.#options = options;
    this.#states = new SharedRead(options.states);
  }

  /** Yields all sources first, then each one that has changed. Ends when the signal is aborted. */
  async *listen(signal: AbortSignal): AsyncGenerator<SyncEvent> {
    if (signal.aborted) return;
    const listener: Listener = { pending: new Map(), hasStarted: false, wake: () => undefined };
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
        if (!listener.hasStarted && this.#known !== null) {
          listener.hasStarted = true;
          listener.pending.clear();
          yield { event: 'sources', data: { objList: [...this.#known] } };
        }
        for (const [source, state] of listener.pending) {
          listener.pending.delete(source);
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
      () => void this.#readAndPublish(),
      minGapMs,
    );
    void this.#readAndPublish();
  }

  #leave(listener: Listener): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return;
    this.#unsubscribe();
    this.#known = null;
  }

  async #readAndPublish(): Promise<void> {
    try {
      this.#publish(await this.#states.now());
    } catch (error) {
      // The next notification or poll reads again.
      this.#options.onError(error);
    }
  }

  #publish(now: readonly SourceState[]): void {
    if (this.#listeners.size === 0) return;
    const before = new Map(this.#known?.map((state) => [state.source, JSON.stringify(state)]));
    const changed = now.filter((state) => before.get(state.source) !== JSON.stringify(state));
    this.#known = now;
    for (const listener of this.#listeners) {
      for (const state of changed) listener.pending.set(state.source, state);
      if (changed.length > 0 || !listener.hasStarted) listener.wake();
    }
  }
}
