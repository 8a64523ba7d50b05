/** The assessment thread: judges large inventories and batches of queries, apart from the thread that answers requests. */
import { parentPort, workerData } from 'node:worker_threads';
import { assessHere } from '../machines/assessor.ts';
import type { AssessedMachine } from '../machines/machine-findings.ts';
import { type CallThreadStart, serveCalls } from '../platform/threads/serve-calls.ts';
import { yieldProcessors } from '../platform/threads/serve-thread.ts';
import { ListMemories } from '../records/memory/list-memories.ts';
import { answerBatchHere, type OsvBatch } from './osv/osv-batch.ts';

/** Assessments have no time limit of their own here: a caller who leaves ends the wait, not the work. */
const never = new AbortController().signal;

export type AssessmentCall =
  | { readonly kind: 'text'; readonly text: string; readonly format: 'json' | 'csv' }
  | {
      readonly kind: 'machine';
      readonly assessed: AssessedMachine;
      readonly page: { readonly offset: number; readonly size: number };
    }
  | { readonly kind: 'osv'; readonly batch: OsvBatch };

if (parentPort !== null) {
  yieldProcessors();
  serveCalls(parentPort, workerData as CallThreadStart, (database) => {
    const assessor = assessHere({
      database,
      memories: new ListMemories(database),
      clock: Date.now,
    });
    const answerBatch = answerBatchHere(database);
    return (call: AssessmentCall) => {
      switch (call.kind) {
        case 'text':
          return assessor.assessText(call.text, call.format, never);
        case 'machine':
          return assessor.assessPage(call.assessed, call.page, never);
        case 'osv':
          return answerBatch(call.batch, never);
      }
    };
  });
}
