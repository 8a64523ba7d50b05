/** Takes reports in a thread of its own. */
import type { ReportOutcome } from '@patch/contract/fleet/machine-report-endpoints.ts';
import type { OpenDatabase } from '../../platform/database/schema/open-database.ts';
import type { Log } from '../../platform/logging/logging.ts';
import { msSince } from '../../platform/logging/ms-since.ts';
import { CallThread, type CallThreadLimits } from '../../platform/threads/call-thread.ts';
import type { CallThreadStart } from '../../platform/threads/serve-calls.ts';
import type { Intake } from './intake.ts';
import type { IntakeCall } from './serve-intake.ts';

export interface RunningIntake extends Intake {
  stop(): Promise<void>;
}

export interface IntakeOptions {
  readonly database: Pick<OpenDatabase, 'url'>;
  readonly log: Pick<Log, 'debug' | 'warn' | 'error'>;
  readonly limits?: Partial<CallThreadLimits>;
  /** Another thread, for tests. */
  readonly module?: URL;
}

const defaultLimits: CallThreadLimits = {
  heapMb: 1024,
  /** A thousand machines take some seconds. */
  taskMs: 120_000,
  /** One request is read while another is stored. */
  maxRunning: 2,
  /** Each contains up to 16 MB. */
  maxWaiting: 16,
  /** Clients report every few minutes. */
  idleMs: 10 * 60_000,
};

export function startIntake({ database, log, limits, module }: IntakeOptions): RunningIntake {
  const thread = new CallThread<IntakeCall, readonly ReportOutcome[]>({
    name: 'intake',
    module: module ?? new URL('./intake-thread.ts', import.meta.url),
    workerData: { databaseUrl: database.url } satisfies CallThreadStart,
    limits: { ...defaultLimits, ...limits },
    busy: 'Too many machines are being reported at once.',
    ended:
      'The machines could not be taken in: reading them took too long or too much memory. Try again with fewer machines at once.',
    log,
  });
  return {
    async take(clientId, body, signal) {
      const since = performance.now();
      const outcomes = await thread.call({ clientId, body }, signal);
      const facts = { client: clientId, machines: outcomes.length, ms: msSince(since) };
      log.debug(facts, 'took in reports of machines');
      return outcomes;
    },
    stop: () => thread.stop(),
  };
}
