/** Runs one command of the client (fetch, assess or report), and returns its exit code. */
import { isSystemError } from '@patch/contract/error-code.ts';
import { assessUsage, readAssessOptions } from './assess-options.ts';
import { ClientFailure, exitCodes } from './client-failure.ts';
import { readOptions, usage } from './client-options.ts';
import { readReportOptions, reportUsage } from './report-options.ts';
import { runAssessment } from './run-assessment.ts';
import { runClient } from './run-client.ts';
import { runReport } from './run-report.ts';

interface Command {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly input: AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  readonly complain: (line: string) => void;
}

/** Throws only the reason with which `signal` was aborted. */
export async function runCommand(command: Command): Promise<number> {
  const { args, environment, signal, say, complain } = command;
  try {
    const [verb, ...rest] = args;
    if (verb === 'assess') return await assess(command, rest);
    if (verb === 'report') return await report(command, rest);
    const options = readOptions(args, environment);
    if (options === 'help') say(usage.trimEnd());
    else await runClient({ options, signal, say, complain });
    return exitCodes.done;
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

async function assess(
  { environment, input, signal, say, complain }: Command,
  args: readonly string[],
): Promise<number> {
  const options = readAssessOptions(args, environment);
  if (options === 'help') {
    say(assessUsage.trimEnd());
    return exitCodes.done;
  }
  return runAssessment({ options, input, signal, say, complain });
}

async function report(
  { environment, signal, say, complain }: Command,
  args: readonly string[],
): Promise<number> {
  const options = readReportOptions(args, environment);
  if (options === 'help') {
    say(reportUsage.trimEnd());
    return exitCodes.done;
  }
  return runReport({ options, signal, say, complain });
}
