/** Tests the connection to another service stage by stage until one fails. */

/** A failed stage, with advice for the administrator. */
export class StageError<Stage extends string> extends Error {
  override readonly name = 'StageError';
  readonly stage: Stage;
  readonly advice: string;
  constructor(stage: Stage, words: string, advice: string) {
    super(words);
    this.stage = stage;
    this.advice = advice;
  }
}

interface StageResult<Stage extends string> {
  readonly stage: Stage;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly words: string;
  readonly advice: string;
}

/** Notes that a stage passed, or that it does not apply. */
export type NoteStage<Stage extends string> = (
  stage: Stage,
  words: string,
  outcome?: 'passed' | 'skipped',
) => void;

/**
 * Returns the result of every stage, in their order.
 * @param work - Throws a StageError when a stage fails.
 */
export async function testStages<Stage extends string>(
  stages: readonly Stage[],
  work: (note: NoteStage<Stage>) => Promise<void>,
): Promise<StageResult<Stage>[]> {
  const results = new Map<Stage, StageResult<Stage>>();
  try {
    await work((stage, words, outcome = 'passed') => {
      results.set(stage, { stage, outcome, words, advice: '' });
    });
  } catch (error) {
    if (!(error instanceof StageError)) throw error;
    const { stage, message: words, advice } = error as StageError<Stage>;
    results.set(stage, { stage, outcome: 'failed', words, advice });
  }
  return stages.map(
    (stage) => results.get(stage) ?? { stage, outcome: 'skipped', words: 'Not tried.', advice: '' },
  );
}
