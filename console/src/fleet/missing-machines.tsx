/** Says in sentences on how many machines a CVE or a record is missing, and on how many it is not. Each number links to these machines. */
import { getList } from '@patch/catalogue/lists.ts';
import type { MachineExposure } from '@patch/contract/fleet/machine-endpoints.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMay } from '../api/session.ts';
import {
  buildMachinesBeside,
  buildMachinesMissing,
  type MissesCriterion,
} from '../widgets/build-figure.ts';
import { FigureLink } from '../widgets/figure-link.tsx';
import { type Counted, inflect } from '../widgets/format-number.ts';
import { listPath } from '../widgets/list-paths.ts';
import { beingJudgedCriterion, isJudgedCriteria, notJudgedCriterion } from './machine-figure.ts';

const machines: Counted = ['machine', 'machines'];

interface MissingMachinesProps {
  readonly counts: MachineExposure;
  /** A CVE, or the value of the criterion for a record. */
  readonly named: string;
  readonly onFollow?: (() => void) | undefined;
}

export function MissingMachines(props: MissingMachinesProps) {
  const { counts, named, onFollow } = props;
  const { missing, overdue, uncertain, accepted } = counts;
  if (counts.machines === 0) return <NoMachines onFollow={onFollow} />;
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
            {overdue > 0 && (
              <>
                , overdue on{' '}
                {link(overdue, ['machine is overdue for', 'machines are overdue for'], 'overdue')}
              </>
            )}
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
      <OtherMachines {...props} />
    </>
  );
}

/** Only administrators can add machines, on the page of the list. */
function NoMachines({ onFollow }: Pick<MissingMachinesProps, 'onFollow'>) {
  const isAdmin = useMay('admin');
  if (!isAdmin) return <>No machine reports.</>;
  return (
    <>
      No machine reports.{' '}
      <Link to={listPath(getList('machines'))} onClick={onFollow}>
        Add machines
      </Link>{' '}
      to see which of them miss it.
    </>
  );
}

/** Says how many of the others do not miss it, and of how many that is not known: '370 do not miss it, 8 cannot be judged.' */
function OtherMachines({ counts, named, onFollow }: MissingMachinesProps) {
  const link = (count: number, words: Counted, more: Parameters<typeof buildMachinesBeside>[2]) => (
    <FigureLink
      figure={buildMachinesBeside(count, named, more)}
      counts={`${inflect(count, words)} ${named}`}
      onFollow={onFollow}
    />
  );
  const { notMissing, notCompared, notJudged, beingJudged } = counts;
  const parts: readonly { readonly count: number; readonly content: ReactNode }[] = [
    {
      count: notMissing,
      content: (
        <>
          {link(
            notMissing,
            ['machine is not known to miss', 'machines are not known to miss'],
            isJudgedCriteria,
          )}{' '}
          {inflect(notMissing, ['does', 'do'])} not miss it
        </>
      ),
    },
    {
      count: notCompared,
      content: (
        <>
          {link(
            notCompared,
            ['machine is not compared with', 'machines are not compared with'],
            isJudgedCriteria,
          )}{' '}
          cannot be compared with it
        </>
      ),
    },
    {
      count: notJudged,
      content: (
        <>
          {link(
            notJudged,
            ['machine cannot be judged for', 'machines cannot be judged for'],
            [notJudgedCriterion],
          )}{' '}
          cannot be judged
        </>
      ),
    },
    {
      count: beingJudged,
      content: (
        <>
          {link(
            beingJudged,
            ['machine is being judged for', 'machines are being judged for'],
            [beingJudgedCriterion],
          )}{' '}
          {inflect(beingJudged, ['is', 'are'])} being judged
        </>
      ),
    },
  ];
  const shown = parts.filter(({ count }) => count > 0);
  if (shown.length === 0) return null;
  return (
    <>
      {' '}
      {shown.map(({ content }, index) => (
        <span key={index}>
          {index > 0 && ', '}
          {content}
        </span>
      ))}
      .
    </>
  );
}
