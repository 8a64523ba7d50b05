/** Says in a sentence on how many machines a CVE or a record is missing. Each number links to these machines. */
import { buildMachinesMissing, type MissesCriterion } from '../widgets/build-figure.ts';
import { FigureLink } from '../widgets/figure-link.tsx';

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
  const link = (count: number, words: string, criterion: MissesCriterion) => (
    <FigureLink
      figure={buildMachinesMissing(count, named, criterion)}
      counts={`${count === 1 ? 'machine' : 'machines'} ${words} ${named}`}
      onFollow={onFollow}
    />
  );
  const parts = [
    ...(missing === 0
      ? []
      : [
          <>
            on {link(missing, missing === 1 ? 'misses' : 'miss', 'misses')}{' '}
            {missing === 1 ? 'machine' : 'machines'}
          </>,
        ]),
    ...(uncertain === 0
      ? []
      : [
          <>
            perhaps on {link(uncertain, 'may miss', 'mayMiss')}
            {missing === 0 ? (uncertain === 1 ? ' machine' : ' machines') : ' more'}
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
        <> Accepted on {link(accepted, accepted === 1 ? 'accepts' : 'accept', 'accepts')}.</>
      )}
    </>
  );
}
