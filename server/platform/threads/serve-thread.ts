/** The thread's side of an OnDemandThread: executes commands, and reports when all are done. */
import { getPriority, setPriority } from 'node:os';
import type { MessagePort } from 'node:worker_threads';

export const threadStop = 'stop';

export type ThreadMessage<Event> =
  | { readonly event: Event }
  /** Number of commands received so far, all of which are done. */
  | { readonly done: number };

export interface ThreadWork<Command> {
  /** Resolves when all work of the command is done. */
  readonly work: (command: Command) => Promise<void>;
  /** Aborts running work and closes resources; the thread ends afterwards. */
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
  // Node queues messages sent during the start until this listener exists.
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

const lowest = 19;
/** Steps of niceness: when two threads compete for a processor, the calling one gets a quarter. */
const steps = 5;

export function yieldProcessors(): void {
  // Elsewhere the priority applies to the whole process.
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, Math.min(lowest, getPriority(0) + steps));
  } catch {
    // A sandbox may forbid it, and nothing depends on it.
  }
}
