/** Reports machines, many in a request: a file each, whose name is the machine's key. */
import { readdir, stat } from 'node:fs/promises';
import { join, parse } from 'node:path';
import {
  maxReportedMachines,
  type ReportOutcome,
  reportMachinesEndpoint,
} from '@patch/contract/machine-report-endpoints.ts';
import { type Asking, askRepository } from './ask-repository.ts';
import { ClientFailure, exitCodes } from './client-failure.ts';
import { readIdentity } from './client-folder.ts';
import { readOne, textOf } from './read-inventory-files.ts';
import type { ReportOptions } from './report-options.ts';

export interface ReportRun {
  readonly options: ReportOptions;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  readonly complain: (line: string) => void;
}

interface MachineFile {
  readonly key: string;
  readonly name: string;
  readonly text: string;
}

/** Characters of a request; the repository takes 16 MB. A machine that is longer is sent alone, and refused. */
const maxCharacters = 4 * 1024 * 1024;
/** Of a request: each is stored in one transaction. */
const maxMachines = Math.min(200, maxReportedMachines);

/** The exit code. Throws a ClientFailure. */
export async function runReport({ options, signal, say, complain }: ReportRun): Promise<number> {
  const { server, folder, tries, retryAfterMs } = options;
  const identity = await readIdentity(folder, server);
  if (identity === null)
    throw new ClientFailure(
      'usage',
      `${folder} holds no activation at ${server}. Activate the client first: node client/patch-client.ts --help.`,
    );
  const asking: Asking = { server, tries, retryAfterMs, signal, onRetry: complain };
  const counts = { stored: 0, unchanged: 0, refused: 0 };
  const send = async (machines: readonly MachineFile[]) => {
    const { json } = await askRepository(asking, {
      method: 'POST',
      path: reportMachinesEndpoint.path,
      token: identity.token,
      body: { machines },
      gzip: true,
    });
    return reportMachinesEndpoint.reply.parse(json).machines;
  };
  for await (const outcomes of inPairs(requestsOf(await filesOf(options.paths)), send))
    for (const outcome of outcomes) {
      counts[outcome.state] += 1;
      const words = wordsOf(outcome);
      if (words !== null) complain(words);
    }
  say(`${counts.stored} stored, ${counts.unchanged} unchanged, ${counts.refused} refused.`);
  return counts.refused > 0 ? exitCodes.incomplete : exitCodes.done;
}

function wordsOf({ key, state, reason, unreadableLines }: ReportOutcome): string | null {
  if (state === 'refused') return `${key}: ${reason ?? 'refused'}`;
  return unreadableLines === 0
    ? null
    : `${key}: ${unreadableLines} ${unreadableLines === 1 ? 'line' : 'lines'} could not be read.`;
}

/** The repository reads one request while it stores the one before. Answers in the order of the requests; the first failure ends it. */
async function* inPairs<Request, Reply>(
  requests: AsyncIterable<Request>,
  send: (request: Request) => Promise<Reply>,
): AsyncGenerator<Reply> {
  let before: Promise<Reply> | null = null;
  for await (const request of requests) {
    const sent = send(request);
    // The one who waits is told; nobody waits when the one before fails.
    sent.catch(() => undefined);
    if (before !== null) yield await before;
    before = sent;
  }
  if (before !== null) yield await before;
}

/** By key. Throws a ClientFailure when two files have one key, or a path cannot be read. */
async function filesOf(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
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

/** Machines that are sent together. Files are read when their request is made, so that thousands take little memory. */
async function* requestsOf(
  files: ReadonlyMap<string, string>,
): AsyncGenerator<readonly MachineFile[]> {
  let machines: MachineFile[] = [];
  let characters = 0;
  for (const [key, file] of files) {
    const text = textOf(await readOne(file));
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
