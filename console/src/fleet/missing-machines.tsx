/** Says in a sentence on how many machines a CVE or a record is missing. Each number links to these machines. */
import { buildMachinesMissing, type MissesCriterion } from '../widgets/build-figure.ts';
import { FigureLink } from '../widgets/figure-link.tsx';
import { type Counted, inflect } from '../widgets/format-number.ts';

const machines: Counted = ['machine', 'machines'];

interface MissingMachinesProps {
  readonly counts: {
    readonly missing: number;
    readonly uncertain: number;
    readonly accepted: number;
  };
  /** A CVE, or the value of the criterion for a record. */
  readonly named: string;
  readonly onFollow?: (() => void) | undefined;
}

export function MissingMachines({
  counts: { missing, uncertain, accepted },
  named,
  onFollow,
}: MissingMachinesProps) {
  const link = (count: number, words: Counted, criterion: MissesCriterion) => (
    <FigureLink
      figure={buildMachinesMissing(count, named, criterion)}
      counts={`${inflect(count, words)} ${named}`}
      onFollow={onFollow}
    />
  );
  const parts = [
    ...(missing === 0
      ? []
      : [
          <>
            on {link(missing, ['machine misses', 'machines miss'], 'misses')}{' '}
            {inflect(missing, machines)}
          </>,
        ]),
    ...(uncertain === 0
      ? []
      : [
          <>
            perhaps on {link(uncertain, ['machine may miss', 'machines may miss'], 'mayMiss')}{' '}
            {missing === 0 ? inflect(uncertain, machines) : 'more'}
          </>,
        ]),
  ];
  return (
    <>
      {parts.length === 0 ? (
        'No machine that reports is known to miss it.'
      ) : (
        <>
          Missing {parts[0]}
          {parts.length > 1 && <>, and {parts[1]}</>}.
        </>
      )}
      {accepted > 0 && (
        <> Accepted on {link(accepted, ['machine accepts', 'machines accept'], 'accepts')}.</>
      )}
    </>
  );
}
