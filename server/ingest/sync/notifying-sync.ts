/** A sync whose changes this process's listeners see at once, not at the next poll. */
import type { Sync } from './start-sync.ts';
import type { SyncEvents } from './sync-events.ts';

export type SyncControl = Pick<Sync, 'start' | 'cancel' | 'keepSchedules'>;

export function notifyingSync(sync: SyncControl, events: Pick<SyncEvents, 'notify'>): SyncControl {
  const notifyAfter = <Result>(done: Promise<Result>) => done.finally(() => events.notify());
  return {
    start: (source, startedBy) => notifyAfter(sync.start(source, startedBy)),
    cancel: (source, by) => notifyAfter(sync.cancel(source, by)),
    keepSchedules() {
      sync.keepSchedules();
      events.notify();
    },
  };
}
