/** Assesses large inventories and batches in a thread, which starts with the first of them. */
import type { InventoryPage } from '../machines/assess-machine.ts';
import type { Assessor } from '../machines/assessor.ts';
import type { OpenDatabase } from '../platform/database/schema/open-database.ts';
import type { Log } from '../platform/logging/logging.ts';
import { CallThread } from '../platform/threads/call-thread.ts';
import type { CallThreadStart } from '../platform/threads/serve-calls.ts';
import type { AssessmentCall } from './assessment-thread.ts';
import type { AnswerOsvBatch } from './osv/osv-batch.ts';

export interface Assessments {
  readonly assessor: Assessor;
  readonly answerBatch: AnswerOsvBatch;
}

export interface RunningAssessments extends Assessments {
  stop(): Promise<void>;
}

export interface AssessmentThreadOptions {
  readonly database: Pick<OpenDatabase, 'url'>;
  readonly log: Pick<Log, 'warn' | 'error'>;
}

export function startAssessments({ database, log }: AssessmentThreadOptions): RunningAssessments {
  const thread = new CallThread<AssessmentCall, unknown>({
    name: 'assessment',
    module: new URL('./assessment-thread.ts', import.meta.url),
    workerData: { databaseUrl: database.url } satisfies CallThreadStart,
    limits: {
      heapMb: 1024,
      /** Six of the largest take ten seconds together. */
      taskMs: 60_000,
      // One after the other: several at once would take as long, and more memory.
      maxRunning: 1,
      maxWaiting: 16,
      idleMs: 60_000,
    },
    busy: 'Too many large inventories are being judged at once.',
    ended:
      'The inventory could not be judged: it took too long or too much memory. Send less at once.',
    log,
  });
  return {
    assessor: {
      assessText: (text, format, signal) =>
        thread.call({ kind: 'text', text, format }, signal) as Promise<string>,
      assessPage: (assessed, page, signal) =>
        thread.call({ kind: 'machine', assessed, page }, signal) as Promise<InventoryPage>,
    },
    answerBatch: (batch, signal) => thread.call({ kind: 'osv', batch }, signal) as Promise<string>,
    stop: () => thread.stop(),
  };
}
