/** Separates the machines of a request that break a rule, or whose key occurs twice, from those that can be stored. Pure. */
import type {
  ReportedMachine,
  ReportOutcome,
  UnreadableMachine,
} from '@patch/contract/machine-report-endpoints.ts';

type SentMachine = ReportedMachine | UnreadableMachine;

export interface SplitMachines {
  readonly readable: readonly ReportedMachine[];
  /**
   * Returns one outcome for each sent machine, in order.
   * @param taken The outcomes of the readable machines, in order.
   */
  outcomes(taken: readonly ReportOutcome[]): ReportOutcome[];
}

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
