/** Notifications that a test sends itself. */
import type { Channel, Notifications } from '../platform/database/notifications.ts';

export class LocalNotifications implements Notifications {
  readonly #subscribers = new Set<readonly [readonly Channel[], () => void]>();

  subscribe(channels: readonly Channel[], onChange: () => void): () => void {
    const subscriber = [channels, onChange] as const;
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  send(channel: Channel): void {
    for (const [channels, onChange] of this.#subscribers)
      if (channels.includes(channel)) onChange();
  }

  get subscribers(): number {
    return this.#subscribers.size;
  }
}
