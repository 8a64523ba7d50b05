/** Processes the reports of clients: in a thread of its own in the service, in the calling thread in tests and tools. */
import {
  type ReportedMachine,
  type ReportOutcome,
  reportMachinesEndpoint,
  type UnreadableMachine,
} from '@patch/contract/fleet/machine-report-endpoints.ts';
import { parseJson, readInput } from '../../platform/http/read-input.ts';
import { type FleetContext, takeReports } from './take-reports.ts';

export interface Intake {
  /**
   * Processes the machines of a body as `takeReports` does, and returns their outcomes in order.
   * @param body JSON as `reportMachinesEndpoint` describes it.
   * @throws AppError `not_json`, `too_large` or `invalid_input` for the body, `busy` when too many wait or the thread has ended,
   * and `caller_left` when `signal` is aborted before it begins.
   */
  take(clientId: number, body: Uint8Array, signal: AbortSignal): Promise<readonly ReportOutcome[]>;
}

export const intakeHere = (context: FleetContext): Intake => ({
  take: (clientId, body) =>
    takeReportBody(body, (machines) => takeReports(context, clientId, machines)),
});

/**
 * Returns one outcome for each sent machine, in order.
 * @throws AppError `too_large`, `not_json`, `invalid_input`, and what `take` throws.
 */
export async function takeReportBody(
  body: Uint8Array,
  take: (machines: readonly ReportedMachine[]) => Promise<readonly ReportOutcome[]>,
): Promise<readonly ReportOutcome[]> {
  const { body: schema, maxBodyValues } = reportMachinesEndpoint;
  const { machines } = readInput('body', schema, parseJson(body, maxBodyValues));
  const split = splitMachines(machines);
  return split.outcomes(await take(split.readable));
}

type SentMachine = ReportedMachine | UnreadableMachine;

interface SplitMachines {
  readonly readable: readonly ReportedMachine[];
  /**
   * Returns one outcome for each sent machine, in order.
   * @param taken The outcomes of the readable machines, in order.
   */
  outcomes(taken: readonly ReportOutcome[]): ReportOutcome[];
}

/** Separates the machines of a request that break a rule, or whose key occurs twice, from those that can be stored. */
export function splitMachines(sent: readonly SentMachine[]): SplitMachines {
  const byKey = Map.groupBy(sent, ({ key }) => key);
  const refusalReason = (machine: SentMachine): string | null => {
    if ('unreadable' in machine) return machine.unreadable;
    return byKey.get(machine.key)?.length === 1
      ? null
      : 'The request names this key more than once. Give each machine a key of its own.';
  };
  const judged = sent.map((machine) => ({ machine, reason: refusalReason(machine) }));
  return {
    readable: judged.flatMap(({ machine, reason }) =>
      reason === null && !('unreadable' in machine) ? [machine] : [],
    ),
    outcomes(taken) {
      const remaining = taken.values();
      return judged.map(({ machine: { key }, reason }) => {
        if (reason !== null) return { key, state: 'refused', id: null, unreadableLines: 0, reason };
        const { value } = remaining.next();
        if (value === undefined) throw new Error('A machine that was taken in has no outcome');
        return value;
      });
    },
  };
}
