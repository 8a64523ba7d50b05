/** Publishes the catalogue in a thread of its own, so that requests need not wait for it. */
import { parentPort, workerData } from 'node:worker_threads';
import { yieldProcessors } from '../../platform/threads/serve-thread.ts';
import { type PublishingStart, servePublishing } from './serve-publishing.ts';

if (parentPort !== null) {
  yieldProcessors();
  servePublishing(parentPort, workerData as PublishingStart);
}
