/** A thread for tests that executes simple commands. */
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, threadId, workerData } from 'node:worker_threads';
import { sendEvent, serveThread } from '../serve-thread.ts';

export type ObedientCommand = 'say' | 'say late' | 'die' | 'hang';
export interface ObedientEvent {
  readonly said: ObedientCommand;
  readonly threadId: number;
}

if ((workerData as { readonly dies?: boolean }).dies === true)
  throw new Error('broken at its start');
if (parentPort !== null) {
  const owner = parentPort;
  serveThread<ObedientCommand>(owner, {
    async work(command) {
      if (command === 'die') process.exit(7);
      if (command === 'hang') for (;;);
      if (command === 'say late') await pause(200);
      sendEvent(owner, { said: command, threadId } satisfies ObedientEvent);
    },
    stop: () => Promise.resolve(),
  });
}
