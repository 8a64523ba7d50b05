/** The client's command line: node client/patch-client.ts --help, and the verbs assess and report with --help. */

import { constants } from 'node:os';
import { isSystemError } from '@patch/contract/error-code.ts';
import { assessUsage, readAssessOptions } from './assess-options.ts';
import { ClientFailure, exitCodes } from './client-failure.ts';
import { readOptions, usage } from './client-options.ts';
import { readReportOptions, reportUsage } from './report-options.ts';
import { runAssessment } from './run-assessment.ts';
import { runClient } from './run-client.ts';
import { runReport } from './run-report.ts';

const say = (line: string) => void process.stdout.write(`${line}\n`);
const complain = (line: string) => void process.stderr.write(`${line}\n`);

const stopping = new AbortController();
let stoppedBy: 'SIGINT' | 'SIGTERM' | null = null;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    stoppedBy = signal;
    stopping.abort();
  });
}

async function main(): Promise<number> {
  try {
    const [verb, ...rest] = process.argv.slice(2);
    if (verb === 'assess') return await assess(rest);
    if (verb === 'report') return await report(rest);
    const options = readOptions(process.argv.slice(2), process.env);
    if (options === 'help') say(usage.trimEnd());
    else await runClient({ options, signal: stopping.signal, say, complain });
    return exitCodes.done;
  } catch (error) {
    if (stoppedBy !== null) {
      complain('Interrupted. The next call goes on from here.');
      return 128 + constants.signals[stoppedBy];
    }
    if (error instanceof ClientFailure) {
      complain(error.message);
      return error.exitCode;
    }
    // A full disk, a folder that may not be written; what the network does wrong is a ClientFailure. Not every such error names a path.
    if (isSystemError(error)) {
      complain(`The folder cannot be written: ${error.message}. The next call goes on from here.`);
      return exitCodes.folder;
    }
    complain(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return exitCodes.unexpected;
  }
}

async function assess(args: readonly string[]): Promise<number> {
  const options = readAssessOptions(args, process.env);
  if (options === 'help') {
    say(assessUsage.trimEnd());
    return exitCodes.done;
  }
  return runAssessment({ options, input: process.stdin, signal: stopping.signal, say, complain });
}

async function report(args: readonly string[]): Promise<number> {
  const options = readReportOptions(args, process.env);
  if (options === 'help') {
    say(reportUsage.trimEnd());
    return exitCodes.done;
  }
  return runReport({ options, signal: stopping.signal, say, complain });
}

process.exitCode = await main();
