/** A run for tests, with its messages as people read them. */
import { runMessageText, runStageText } from '@patch/contract/run-message-text.ts';
import type { Run } from '@patch/contract/sync-endpoints.ts';

export interface ToldRun extends Omit<Run, 'stage' | 'message' | 'warnings'> {
  readonly stage: string;
  readonly message: string;
  readonly warnings: readonly string[];
}

/** What is null reads as ''. */
export function toldRun({ stage, message, warnings, ...run }: Run): ToldRun {
  return {
    ...run,
    stage: stage === null ? '' : runStageText(stage),
    message: message === null ? '' : runMessageText(message),
    warnings: warnings.map(runMessageText),
  };
}
