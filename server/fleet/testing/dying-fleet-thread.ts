/** A fleet thread that dies when it receives work. */
import { parentPort } from 'node:worker_threads';
import { sendEvent, serveThread } from '../../platform/threads/serve-thread.ts';
import type { LogLine } from '../../platform/threads/thread-log.ts';

if (parentPort !== null) {
  const owner = parentPort;
  serveThread(owner, {
    work() {
      sendEvent(owner, { level: 'info', words: 'begins', facts: {} } satisfies LogLine);
      process.exit(7);
    },
    stop: () => Promise.resolve(),
  });
}
