/** Sends a machine's inventory to the repository, prints the answer, and returns an exit code for missing records. */
import {
  type Assessment,
  assessmentEndpoint,
  type MissingRecord,
} from '@patch/contract/fleet/assessment-endpoint.ts';
import { isJudged } from '@patch/contract/fleet/assessment-words.ts';
import { requestRepository } from './ask-repository.ts';
import { assessmentLines } from './assessment-lines.ts';
import { ClientFailure, exitCodes } from './client-failure.ts';
import {
  type CommandRun,
  type Environment,
  type RepositoryOptions,
  readArguments,
  readRepository,
  sharedOptions,
  type Verb,
} from './command-line.ts';
import { readInventoryFiles } from './read-inventory-files.ts';

/** From the lowest to the highest; `any` also counts records without a severity. */
const thresholds = [
  'any',
  'low',
  'moderate',
  'important',
  'critical',
  'exploited',
  'none',
] as const;
type Threshold = (typeof thresholds)[number];

interface AssessOptions extends RepositoryOptions {
  readonly key: string;
  /** `-` stands for the standard input. */
  readonly files: readonly string[];
  readonly failOn: Threshold;
  readonly format: 'text' | 'json';
}

const usage = `Says which patches a machine lacks, from what its own tools print. Nothing is stored by the repository.

  npm run assess -- [options] <file>…            node client/patch-client.ts assess [options] <file>…
  (cat /etc/os-release; uname -r; rpm -qa) | node client/patch-client.ts assess --server https://patch.example.org

  <file>     Outputs of one machine: rpm -qa, dpkg-query -W, /etc/os-release, systeminfo, sw_vers, an SBOM. - or none: standard input.
  --server   The repository's address, or PATCH_SERVER in the environment.
  --key      An API key with the scope assess. Better in the environment: PATCH_API_KEY.
  --fail-on  Which missing records make the exit code 10: ${thresholds.join(', ')}. Default: any.
             low to critical count records of that severity and above, and known exploited ones.
  --format   text (default) or json, the complete answer.
  --tries    How often the request is tried (6).
  --retry-after-ms  Wait before the second attempt (1000), doubled for each further one.
  --help

Exit codes: 0 nothing of --fail-on is missing, 10 something is, 11 it cannot be said (the release is unknown to the catalogue, or its
vendor has ended its support), 1 unexpected, 2 wrong options or a file that cannot be read, 3 refused by the repository,
4 repository not reached, 130 and 143 interrupted. Uncertain records and those that need a subscription are shown and not counted.
`;

function readOptions(args: readonly string[], environment: Environment): AssessOptions | 'help' {
  const { values, positionals } = readArguments({
    args: [...args],
    allowPositionals: true,
    options: {
      ...sharedOptions,
      key: { type: 'string' },
      'fail-on': { type: 'string', default: 'any' },
      format: { type: 'string', default: 'text' },
    },
  });
  if (values.help === true) return 'help';
  const repository = readRepository(values, environment);
  const key = values.key ?? environment['PATCH_API_KEY'] ?? '';
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new ClientFailure(
      'usage',
      'Give an API key with the scope assess: PATCH_API_KEY in the environment, or --key.',
    );
  return {
    ...repository,
    key,
    files: positionals.length === 0 ? ['-'] : positionals,
    failOn: parseChoice('--fail-on', values['fail-on'], thresholds),
    format: parseChoice('--format', values.format, ['text', 'json']),
  };
}

function parseChoice<Choice extends string>(
  option: string,
  given: string,
  choices: readonly Choice[],
): Choice {
  const found = choices.find((choice) => choice === given);
  if (found === undefined)
    throw new ClientFailure('usage', `${option} must be one of: ${choices.join(', ')}.`);
  return found;
}

/** Returns the exit code. Throws ClientFailure. */
async function runAssessment(run: CommandRun<AssessOptions>): Promise<number> {
  const { options, input, say } = run;
  const { key: token, files, format, failOn } = options;
  const body = { files: await readInventoryFiles(files, input) };
  const { path } = assessmentEndpoint;
  const { json } = await requestRepository(run, { method: 'POST', path, token, body });
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

export const assessVerb: Verb<AssessOptions> = { usage, readOptions, run: runAssessment };
