/** Runs one job in its own thread, so that searches need not wait for it and a crash ends only the job. */
import { parentPort, workerData } from 'node:worker_threads';
import { type JobThreadStart, runJob } from './run-job.ts';

if (parentPort !== null) await runJob(parentPort, workerData as JobThreadStart);
