/** The thread's side of an OnDemandThread: works off commands, and says when none is left. */
import type { MessagePort } from 'node:worker_threads';

export const threadStop = 'stop';

export type ThreadMessage<Event> =
  | { readonly event: Event }
  /** There is no work left; this many commands have been worked off. */
  | { readonly done: number };

export interface ThreadWork<Command> {
  /** Resolves when all work that follows from the command is done. */
  readonly work: (command: Command) => Promise<void>;
  /** Ends what runs and closes what is open; the thread ends afterwards. */
  readonly stop: () => Promise<void>;
}

export type ThreadOwner = Pick<MessagePort, 'postMessage' | 'on'>;

export const sendEvent = (owner: ThreadOwner, event: object): void =>
  owner.postMessage({ event } satisfies ThreadMessage<object>);

export function serveThread<Command>(
  owner: ThreadOwner,
  { work, stop }: ThreadWork<Command>,
): void {
  let received = 0;
  let running = 0;
  // Messages that came while the thread started have waited for this listener.
  owner.on('message', (command: Command | typeof threadStop) => {
    if (command === threadStop) {
      void stop().then(() => process.exit(0));
      return;
    }
    received += 1;
    running += 1;
    void work(command).then(() => {
      running -= 1;
      if (running === 0) owner.postMessage({ done: received } satisfies ThreadMessage<never>);
    });
  });
}
