/** Reports machines, many per request; each file is one machine, whose key is the file's name. */
import { readdir, stat } from 'node:fs/promises';
import { join, parse } from 'node:path';
import {
  maxReportedMachines,
  type ReportOutcome,
  reportMachinesEndpoint,
} from '@patch/contract/fleet/machine-report-endpoints.ts';
import { requestRepository } from './ask-repository.ts';
import { ClientFailure, exitCodes } from './client-failure.ts';
import { readIdentity } from './client-folder.ts';
import {
  type CommandRun,
  type Environment,
  type RepositoryOptions,
  readArguments,
  readRepository,
  sharedOptions,
  type Verb,
} from './command-line.ts';
import { decodeText, readOne } from './read-inventory-files.ts';

interface ReportOptions extends RepositoryOptions {
  /** Folder of the activated client. */
  readonly folder: string;
  /** Files of one machine each, or folders of such files. */
  readonly paths: readonly string[];
}

const usage = `Reports machines to a patch repository, which then knows what each of them misses. An administrator has to allow it for the client.

  node client/patch-client.ts report --server https://patch.example.org --folder /var/lib/patch <file or folder>…

  <file>     What the tools of one machine printed. The file's name without its ending is the key of the machine.
  <folder>   Every .txt and .json file in it.
  --server   The repository's address, or PATCH_SERVER in the environment.
  --folder   The folder of the activated client.
  --tries    Attempts per request (6).
  --retry-after-ms  Wait before the second attempt (1000), doubled for each further one.
  --help

Exit codes: 0 all machines were reported, 12 some were refused, 1 unexpected, 2 wrong options or a file that cannot be read, 3 refused by
the repository, 4 repository not reached, 130 and 143 interrupted. A report replaces the one before; calling again does no harm.
`;

function readOptions(args: readonly string[], environment: Environment): ReportOptions | 'help' {
  const { values, positionals } = readArguments({
    args: [...args],
    allowPositionals: true,
    options: { ...sharedOptions, folder: { type: 'string' } },
  });
  if (values.help === true) return 'help';
  const repository = readRepository(values, environment);
  const { folder } = values;
  if (folder === undefined || folder === '')
    throw new ClientFailure('usage', '--folder must name the folder of the activated client.');
  if (positionals.length === 0)
    throw new ClientFailure('usage', 'Name the files of the machines, or a folder of such files.');
  return { ...repository, folder, paths: positionals };
}

interface MachineFile {
  readonly key: string;
  readonly name: string;
  readonly text: string;
}

/** Limit of characters per request; the repository accepts 16 MB. A longer machine is sent alone, and refused. */
const maxCharacters = 4 * 1024 * 1024;
/** Limit of machines per request, which the repository stores in one transaction each. */
const maxMachines = Math.min(200, maxReportedMachines);

/** Returns the exit code. Throws a ClientFailure. */
async function runReport(run: CommandRun<ReportOptions>): Promise<number> {
  const { options, say, complain } = run;
  const { server, folder } = options;
  const identity = await readIdentity(folder, server);
  if (identity === null)
    throw new ClientFailure(
      'usage',
      `${folder} holds no activation at ${server}. Activate the client first: node client/patch-client.ts --help.`,
    );
  const counts = { stored: 0, unchanged: 0, refused: 0 };
  const send = async (machines: readonly MachineFile[]) => {
    const { json } = await requestRepository(run, {
      method: 'POST',
      path: reportMachinesEndpoint.path,
      token: identity.token,
      body: { machines },
      gzip: true,
    });
    return reportMachinesEndpoint.reply.parse(json).machines;
  };
  for await (const outcomes of inPairs(groupMachines(await findFiles(options.paths)), send))
    for (const outcome of outcomes) {
      counts[outcome.state] += 1;
      const words = formatOutcome(outcome);
      if (words !== null) complain(words);
    }
  say(`${counts.stored} stored, ${counts.unchanged} unchanged, ${counts.refused} refused.`);
  return counts.refused > 0 ? exitCodes.incomplete : exitCodes.done;
}

function formatOutcome({ key, state, reason, unreadableLines }: ReportOutcome): string | null {
  if (state === 'refused') return `${key}: ${reason ?? 'refused'}`;
  return unreadableLines === 0
    ? null
    : `${key}: ${unreadableLines} ${unreadableLines === 1 ? 'line' : 'lines'} could not be read.`;
}

/**
 * Overlaps requests: the repository reads one while it stores the previous one. Yields replies in order; the first failure ends
 * it.
 */
async function* inPairs<Request, Reply>(
  requests: AsyncIterable<Request>,
  send: (request: Request) => Promise<Reply>,
): AsyncGenerator<Reply> {
  let before: Promise<Reply> | null = null;
  for await (const request of requests) {
    const sent = send(request);
    // The awaiting caller receives the error; without one, after an earlier failure, it must not be unhandled.
    sent.catch(() => undefined);
    if (before !== null) yield await before;
    before = sent;
  }
  if (before !== null) yield await before;
}

/** Returns files by key. Throws a ClientFailure when two files have one key, or a path cannot be read. */
async function findFiles(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const path of paths) {
    for (const file of await filesAt(path)) {
      const key = parse(file).name;
      const other = files.get(key);
      if (other !== undefined)
        throw new ClientFailure(
          'usage',
          `${other} and ${file} are of one machine, ${key}: name each file after its machine.`,
        );
      files.set(key, file);
    }
  }
  if (files.size === 0)
    throw new ClientFailure('usage', 'There are no .txt or .json files to report.');
  return files;
}

async function filesAt(path: string): Promise<readonly string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const names = await readdir(path);
    return names.filter((name) => /\.(txt|json)$/i.test(name)).map((name) => join(path, name));
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new ClientFailure('usage', `${path} cannot be read: ${words}`, { cause: error });
  }
}

/** Groups machines into requests. Files are read just before their request, so that thousands need little memory. */
async function* groupMachines(
  files: ReadonlyMap<string, string>,
): AsyncGenerator<readonly MachineFile[]> {
  let machines: MachineFile[] = [];
  let characters = 0;
  for (const [key, file] of files) {
    const text = decodeText(await readOne(file));
    if (
      machines.length > 0 &&
      (machines.length >= maxMachines || characters + text.length > maxCharacters)
    ) {
      yield machines;
      machines = [];
      characters = 0;
    }
    machines.push({ key, name: key, text });
    characters += text.length;
  }
  if (machines.length > 0) yield machines;
}

export const reportVerb: Verb<ReportOptions> = { usage, readOptions, run: runReport };
