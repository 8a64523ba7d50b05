/** The intake thread: reads and stores the reports of clients, apart from the thread that answers requests. */
import { parentPort, workerData } from 'node:worker_threads';
import type { CallThreadStart } from '../../platform/threads/serve-calls.ts';
import { serveIntake } from './serve-intake.ts';

if (parentPort !== null) serveIntake(parentPort, workerData as CallThreadStart);
