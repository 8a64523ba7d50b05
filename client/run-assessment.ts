/** Sends a machine's inventory to the repository, prints the answer, and returns an exit code for missing records. */
import {
  type Assessment,
  assessmentEndpoint,
  type MissingRecord,
} from '@patch/contract/assessment-endpoint.ts';
import { isJudged } from '@patch/contract/assessment-words.ts';
import { requestRepository } from './ask-repository.ts';
import type { AssessOptions, Threshold } from './assess-options.ts';
import { assessmentLines } from './assessment-lines.ts';
import { exitCodes } from './client-failure.ts';
import { readInventoryFiles } from './read-inventory-files.ts';

export interface AssessmentRun {
  readonly options: AssessOptions;
  readonly input: AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  readonly complain: (line: string) => void;
}

/** Returns the exit code. Throws ClientFailure. */
export async function runAssessment(run: AssessmentRun): Promise<number> {
  const { options, input, signal, say, complain } = run;
  const { server, key, tries, retryAfterMs, files, format, failOn } = options;
  const body = { files: await readInventoryFiles(files, input) };
  const { json } = await requestRepository(
    { server, tries, retryAfterMs, signal, onRetry: complain },
    { method: 'POST', path: assessmentEndpoint.path, token: key, body },
  );
  const answer = assessmentEndpoint.reply.parse(json);
  if (format === 'json') say(JSON.stringify(answer, null, 2));
  else for (const line of assessmentLines(answer)) say(line);
  return toExitCode(answer, failOn);
}

export function toExitCode(answer: Assessment, failOn: Threshold): number {
  if (failOn === 'none') return exitCodes.done;
  const certain = answer.missing.filter(({ state }) => state === 'missing');
  if (certain.some((record) => reaches(record, failOn))) return exitCodes.missing;
  return !isJudged(answer) || answer.machine.endOfLife !== null
    ? exitCodes.undecided
    : exitCodes.done;
}

const ranks: readonly string[] = ['Low', 'Moderate', 'Important', 'Critical'];

function reaches({ severity, exploited }: MissingRecord, failOn: Exclude<Threshold, 'none'>) {
  if (failOn === 'any' || exploited === true) return true;
  if (failOn === 'exploited') return false;
  const wanted = ranks.findIndex((rank) => rank.toLowerCase() === failOn);
  return ranks.indexOf(severity ?? '') >= wanted;
}
