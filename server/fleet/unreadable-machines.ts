/** Parts the machines of a request that break a rule, and those whose key stands twice, from those that can be taken in. Pure. */
import type {
  ReportedMachine,
  ReportOutcome,
  UnreadableMachine,
} from '@patch/contract/machine-report-endpoints.ts';

type SentMachine = ReportedMachine | UnreadableMachine;

export interface PartedMachines {
  readonly readable: readonly ReportedMachine[];
  /** One outcome for each machine that was sent, in its order. `taken`: those of the readable ones, in theirs. */
  outcomes(taken: readonly ReportOutcome[]): ReportOutcome[];
}

export function partMachines(sent: readonly SentMachine[]): PartedMachines {
  const ofKey = Map.groupBy(sent, ({ key }) => key);
  const reasonOf = (machine: SentMachine): string | null => {
    if ('unreadable' in machine) return machine.unreadable;
    return ofKey.get(machine.key)?.length === 1
      ? null
      : 'The request names this key more than once. Give each machine a key of its own.';
  };
  const judged = sent.map((machine) => ({ machine, reason: reasonOf(machine) }));
  return {
    readable: judged.flatMap(({ machine, reason }) =>
      reason === null && !('unreadable' in machine) ? [machine] : [],
    ),
    outcomes(taken) {
      const rest = taken.values();
      return judged.map(({ machine: { key }, reason }) => {
        if (reason !== null) return { key, state: 'refused', id: null, unreadableLines: 0, reason };
        const { value } = rest.next();
        if (value === undefined) throw new Error('A machine that was taken in has no outcome');
        return value;
      });
    },
  };
}
