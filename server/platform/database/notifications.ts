/**
 * Notifies a process of commits, its own and others': triggers notify a channel (migration 010), and one connection of the process
 * listens. A notification is a hint to read again and has no data: it can be lost with its connection.
 */
import { setTimeout as after } from 'node:timers/promises';
import { Client } from 'pg';

const channels = [
  /** General settings and the password policy. */
  'settings',
  /** Settings of sources, and the quarantine of syncs. */
  'sources',
  /** A run was queued, began, ended or is to be cancelled. */
  'runs',
  'run_progress',
  /** Revisions of lists, including the list of clients. */
  'lists',
  /** Machines were reported or must be counted again. */
  'machines',
  /** An email or a delivery to a channel waits. */
  'outbox',
  /** Events were stored, which have no number yet. */
  'events',
  'downloads',
] as const;

export type Channel = (typeof channels)[number];

export interface Notifications {
  /**
   * Calls `onChange` after commits to one of the channels, and whenever one may have been missed: when the subscription begins, when a
   * lost connection is restored, and every half minute.
   * @param minGapMs - Commits within this time after a call share one call at its end.
   * @returns a function that ends the subscription.
   */
  subscribe(channelNames: readonly Channel[], onChange: () => void, minGapMs?: number): () => void;
}

/** No notifications: for tests with one process, which changes nothing without its own knowledge. */
export const noNotifications: Notifications = { subscribe: () => () => undefined };

export interface NotificationOptions {
  readonly url: string;
  /** Called once for each loss of the connection. */
  readonly onLost?: (error: Error) => void;
  readonly times?: NotificationTimes;
}

interface NotificationTimes {
  /** Time between two calls of all subscribers without a notification. */
  readonly pollMs: number;
  /** Shortest and longest time between attempts to connect. */
  readonly retryMs: { readonly first: number; readonly most: number };
  /** Timeout of connecting, and of the check in each poll. */
  readonly answerMs: number;
}

const defaultTimes: NotificationTimes = {
  pollMs: 30_000,
  retryMs: { first: 500, most: 30_000 },
  answerMs: 10_000,
};

interface Subscription {
  readonly channelNames: ReadonlySet<string>;
  readonly minGapMs: number;
  readonly onChange: () => void;
  calledAt: number;
  waiting: NodeJS.Timeout | undefined;
}

export class NotificationListener implements Notifications {
  readonly #options: NotificationOptions;
  readonly #times: NotificationTimes;
  readonly #subscriptions = new Set<Subscription>();
  readonly #closing = new AbortController();
  readonly #polls: NodeJS.Timeout;
  readonly #listening: Promise<void>;
  /** The listening connection; null while not listening. */
  #client: Client | null = null;
  #isChecked = false;

  constructor(options: NotificationOptions) {
    this.#options = options;
    this.#times = options.times ?? defaultTimes;
    this.#polls = setInterval(() => this.#poll(), this.#times.pollMs).unref();
    this.#listening = this.#keepListening();
  }

  subscribe(channelNames: readonly Channel[], onChange: () => void, minGapMs = 0): () => void {
    const subscription: Subscription = {
      channelNames: new Set(channelNames),
      onChange,
      minGapMs,
      calledAt: Number.NEGATIVE_INFINITY,
      waiting: undefined,
    };
    this.#subscriptions.add(subscription);
    if (this.#client !== null) scheduleCall(subscription);
    return () => {
      this.#subscriptions.delete(subscription);
      clearTimeout(subscription.waiting);
    };
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#polls);
    for (const { waiting } of this.#subscriptions) clearTimeout(waiting);
    this.#subscriptions.clear();
    await this.#listening;
  }

  async #keepListening(): Promise<void> {
    const { first, most } = this.#times.retryMs;
    for (let waitMs = first; !this.#closing.signal.aborted; waitMs = Math.min(most, waitMs * 2)) {
      const lost = await this.#listen(() => (waitMs = first));
      if (this.#closing.signal.aborted) return;
      if (waitMs === first) this.#options.onLost?.(lost);
      await after(waitMs, undefined, { signal: this.#closing.signal, ref: false }).catch(
        () => undefined,
      );
    }
  }

  /** Resolves when the connection is lost or fails. */
  async #listen(onListening: () => void): Promise<Error> {
    const client = new Client({
      connectionString: this.#options.url,
      connectionTimeoutMillis: this.#times.answerMs,
      query_timeout: this.#times.answerMs,
      keepAlive: true,
      application_name: 'patch-repository',
    });
    const lost = new Promise<Error>((resolve) => {
      client.on('error', resolve);
      client.on('end', () => resolve(new Error('The connection was closed')));
    });
    client.on('notification', ({ channel }) =>
      this.#call((channelNames) => channelNames.has(channel)),
    );
    // The stream is destroyed because ending a dead connection would never complete.
    const disconnect = () => client.connection.stream.destroy();
    this.#closing.signal.addEventListener('abort', disconnect);
    try {
      await client.connect();
      await client.query(channels.map((channel) => `listen ${channel}`).join('; '));
      this.#client = client;
      onListening();
      // Commits before this point sent no notification to this connection.
      this.#call(() => true);
      return await lost;
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    } finally {
      this.#client = null;
      this.#closing.signal.removeEventListener('abort', disconnect);
      disconnect();
    }
  }

  #poll(): void {
    this.#call(() => true);
    const client = this.#client;
    if (client === null || this.#isChecked) return;
    // The query times out on a dead connection.
    this.#isChecked = true;
    client
      .query('select 1')
      .catch((error: Error) => client.emit('error', error))
      .finally(() => (this.#isChecked = false));
  }

  #call(matches: (channelNames: ReadonlySet<string>) => boolean): void {
    for (const subscription of this.#subscriptions)
      if (matches(subscription.channelNames)) scheduleCall(subscription);
  }
}

function scheduleCall(subscription: Subscription): void {
  if (subscription.waiting !== undefined) return;
  const call = () => {
    subscription.waiting = undefined;
    subscription.calledAt = performance.now();
    subscription.onChange();
  };
  const restMs = subscription.calledAt + subscription.minGapMs - performance.now();
  if (restMs <= 0) call();
  else subscription.waiting = setTimeout(call, restMs).unref();
}
