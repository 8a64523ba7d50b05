/** Runs a job in the thread of its test, which need not load the product again for each job. */
import { EventEmitter } from 'node:events';
import type { StartThread } from '../download-job-thread.ts';
import { runJob } from '../run-job.ts';

export const jobInProcess: StartThread = (start) => {
  const [thread, owner] = [new EventEmitter(), new EventEmitter()];
  const work = async () => {
    await runJob(
      {
        postMessage: (event) => void thread.emit('message', structuredClone(event)),
        on: (name, listener) => owner.on(name, listener),
        close: () => undefined,
      },
      start,
    ).catch((error: unknown) => thread.emit('error', error));
    thread.emit('exit', 0);
  };
  setImmediate(() => void work());
  return Object.assign(thread, {
    postMessage: (message: unknown) => void owner.emit('message', message),
    terminate: () => Promise.resolve(0),
  });
};
