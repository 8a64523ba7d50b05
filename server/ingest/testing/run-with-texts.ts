/** A run for tests with its messages as texts. */
import { runMessageText, runStageText } from '@patch/contract/sources/run-message-text.ts';
import type { Run } from '@patch/contract/sources/sync-endpoints.ts';

export interface RunWithTexts extends Omit<Run, 'stage' | 'message' | 'warnings'> {
  readonly stage: string;
  readonly message: string;
  readonly warnings: readonly string[];
}

/** Converts messages to texts, and null to an empty text. */
export function toRunWithTexts({ stage, message, warnings, ...run }: Run): RunWithTexts {
  return {
    ...run,
    stage: stage === null ? '' : runStageText(stage),
    message: message === null ? '' : runMessageText(message),
    warnings: warnings.map(runMessageText),
  };
}
