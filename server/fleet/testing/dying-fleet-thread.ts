/** A fleet thread that dies when it is to judge. */
import { parentPort } from 'node:worker_threads';
import { sendEvent, serveThread } from '../../platform/threads/serve-thread.ts';
import type { FleetThreadEvent } from '../fleet-thread.ts';

if (parentPort !== null) {
  const owner = parentPort;
  serveThread(owner, {
    work() {
      sendEvent(owner, { level: 'info', words: 'begins', detail: null } satisfies FleetThreadEvent);
      process.exit(7);
    },
    stop: () => Promise.resolve(),
  });
}
