/** Runs one command of the client (fetch, assess or report), and returns its exit code. */
import { isSystemError } from '@patch/contract/base/error-code.ts';
import { ClientFailure, exitCodes } from './client-failure.ts';
import type { CommandRun, Environment, Verb } from './command-line.ts';
import { assessVerb } from './run-assessment.ts';
import { fetchVerb } from './run-client.ts';
import { reportVerb } from './run-report.ts';

interface Command extends Omit<CommandRun<never>, 'options'> {
  readonly args: readonly string[];
  readonly environment: Environment;
}

/** Throws only the reason with which `signal` was aborted. */
export async function runCommand(command: Command): Promise<number> {
  const { args, signal } = command;
  const complain = (line: string) => command.complain(withoutControls(line));
  const run = { ...command, complain };
  try {
    const [verb, ...rest] = args;
    if (verb === 'assess') return await runVerb(assessVerb, run, rest);
    if (verb === 'report') return await runVerb(reportVerb, run, rest);
    return await runVerb(fetchVerb, run, args);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ClientFailure) {
      complain(error.message);
      return error.exitCode;
    }
    // A system error means a full disk or a folder without write access, because network errors are ClientFailures. Not every
    // such error has a path.
    if (isSystemError(error)) {
      complain(`The folder cannot be written: ${error.message}. The next call goes on from here.`);
      return exitCodes.folder;
    }
    complain(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return exitCodes.unexpected;
  }
}

/** A complaint may have words of files and servers, which must not steer a terminal. */
const withoutControls = (line: string) => line.replaceAll(/[^\P{Cc}\n\t]/gu, ' ');

async function runVerb<Options>(
  { usage, readOptions, run }: Verb<Options>,
  command: Command,
  args: Command['args'],
): Promise<number> {
  const options = readOptions(args, command.environment);
  if (options !== 'help') return run({ ...command, options });
  command.say(usage.trimEnd());
  return exitCodes.done;
}
