/** Calls the client as a customer does, within the test or as a separate process, and reads its folder afterwards. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { ClientChange } from '@patch/contract/licensing/client-protocol-endpoints.ts';
import { runCommand } from '../run-command.ts';

interface Called {
  readonly exit: number | null;
  readonly out: string;
  readonly complaints: string;
}

interface ClientProcess {
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
  readonly done: Promise<Called>;
}

type Environment = Readonly<Record<string, string>>;

/** Adds a short wait before retries; a command precedes all options. */
function withShortWaits(args: readonly string[]): readonly string[] {
  const options = args[0]?.startsWith('-') === false ? 1 : 0;
  return [...args.slice(0, options), '--retry-after-ms', '5', ...args.slice(options)];
}

/** Runs in the test's own process. */
export async function callClient(
  args: readonly string[],
  environment: Environment = {},
  input: string | Buffer = '',
): Promise<Called> {
  let [out, complaints] = ['', ''];
  const exit = await runCommand({
    args: withShortWaits(args),
    environment,
    input: Readable.from([Buffer.from(input)]),
    signal: new AbortController().signal,
    say: (line) => void (out += `${line}\n`),
    complain: (line) => void (complaints += `${line}\n`),
  });
  return { exit, out, complaints };
}

const program = fileURLToPath(new URL('../patch-client.ts', import.meta.url));

/**
 * Runs a process, for tests of signals and limits.
 * @param largestFile in blocks of 512 or 1024 bytes, depending on the shell; a write beyond it is truncated, like on a full disk.
 */
export function spawnClient(
  args: readonly string[],
  environment: Environment = {},
  largestFile: number | null = null,
): ClientProcess {
  const words = [process.execPath, program, ...withShortWaits(args)];
  const limited =
    largestFile === null
      ? words
      : ['sh', '-c', `ulimit -f ${largestFile}; exec "$@"`, 'sh', ...words];
  const [command = '', ...given] = limited;
  const child = spawn(command, given, { env: { ...process.env, ...environment } });
  let [out, complaints] = ['', ''];
  child.stdout.on('data', (text: Buffer) => void (out += text.toString()));
  child.stderr.on('data', (text: Buffer) => void (complaints += text.toString()));
  const done = new Promise<Called>((resolve) => {
    child.on('close', (exit) => resolve({ exit, out, complaints }));
  });
  return { pid: child.pid ?? 0, kill: (signal) => void child.kill(signal), done };
}

/** Returns the lines of the copy, also of an incomplete one. */
export function readLines(folder: string, list: string): readonly ClientChange[] {
  const file = [`${list}.jsonl`, `${list}.jsonl.part`]
    .map((name) => join(folder, name))
    .find((name) => existsSync(name));
  if (file === undefined) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ClientChange);
}

/** Returns the listed records by id, as a reader of the file sees them. */
export function readCopy(folder: string, list: string): ReadonlyMap<number, ClientChange> {
  const copy = new Map<number, ClientChange>();
  for (const line of readLines(folder, list)) {
    if (line.withdrawnTime === null) copy.set(line.id, line);
    else copy.delete(line.id);
  }
  return copy;
}

export const readCopyState = (
  folder: string,
  list: string,
): { readonly cursor: string | null; readonly bytes: number; readonly whole: boolean } =>
  JSON.parse(readFileSync(join(folder, `${list}.state.json`), 'utf8'));
