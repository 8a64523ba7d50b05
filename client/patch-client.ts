/** The client's command line: node client/patch-client.ts --help, and the verbs assess and report with --help. */

import { constants } from 'node:os';
import { runCommand } from './run-command.ts';

const complain = (line: string) => void process.stderr.write(`${line}\n`);

const stopping = new AbortController();
let stoppedBy: 'SIGINT' | 'SIGTERM' = 'SIGTERM';
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    stoppedBy = signal;
    stopping.abort();
  });
}

try {
  process.exitCode = await runCommand({
    args: process.argv.slice(2),
    environment: process.env,
    input: process.stdin,
    signal: stopping.signal,
    say: (line) => void process.stdout.write(`${line}\n`),
    complain,
  });
} catch (error) {
  if (!stopping.signal.aborted) throw error;
  complain('Interrupted. The next call goes on from here.');
  process.exitCode = 128 + constants.signals[stoppedBy];
}
