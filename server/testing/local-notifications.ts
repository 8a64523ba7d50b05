/** Notifications that a test sends itself. */
import type { Channel, Notifications } from '../platform/database/notifications.ts';

export class LocalNotifications implements Notifications {
  readonly #subscribers = new Set<readonly [readonly Channel[], () => void]>();

  subscribe(wanted: readonly Channel[], onChange: () => void): () => void {
    const subscriber = [wanted, onChange] as const;
    this.#subscribers.add(subscriber);
    return () => this.#subscribers.delete(subscriber);
  }

  send(channel: Channel): void {
    for (const [wanted, onChange] of this.#subscribers) if (wanted.includes(channel)) onChange();
  }

  get subscribers(): number {
    return this.#subscribers.size;
  }
}
