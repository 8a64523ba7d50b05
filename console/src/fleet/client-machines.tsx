/** A summary of the missing records of a client's machines, on the client's page. */

import { CountedLink } from '../summary/counted-link.tsx';
import { buildMissingRecords } from '../widgets/build-figure.ts';
import { FigureLink } from '../widgets/figure-link.tsx';
import { LoadFailure } from '../widgets/load-failure.tsx';
import { TimeAgo } from '../widgets/time-ago.tsx';
import { BeingJudged } from './being-judged.tsx';
import styles from './fleet.module.css';
import {
  atLeastOne,
  beingJudgedCriterion,
  notJudgedCriterion,
  toMachineFigure,
} from './machine-figure.ts';
import { useMachinesOfClient } from './use-fleet.ts';

interface ClientMachinesProps {
  readonly id: number;
  readonly reportsMachines: boolean;
}

export function ClientMachines({ id, reportsMachines }: ClientMachinesProps) {
  const { data, error, refetch } = useMachinesOfClient(id);
  if (error !== null)
    return <LoadFailure what="machines" failure={error} onReload={() => void refetch()} />;
  if (data === undefined || (!reportsMachines && data.machines === 0)) return null;
  if (data.machines === 0)
    return (
      <p className="text-quiet figures">The client may report machines and has not reported any.</p>
    );
  const clientCriterion = { paramName: 'clientId', operator: 'equal' as const, value: id };
  const lines = [
    ['machines', toMachineFigure(data.machines, [clientCriterion])],
    [
      'miss something',
      toMachineFigure(data.machinesMissing, [clientCriterion, atLeastOne('missing')]),
    ],
    [
      'miss a fix of a known exploited vulnerability',
      toMachineFigure(data.machinesExploited, [clientCriterion, atLeastOne('missingExploited')]),
    ],
    ...(data.beingJudged > 0
      ? [
          [
            'being judged',
            toMachineFigure(data.beingJudged, [clientCriterion, beingJudgedCriterion]),
          ] as const,
        ]
      : []),
    ...(data.notJudged > 0
      ? [
          [
            'not judged',
            toMachineFigure(data.notJudged, [clientCriterion, notJudgedCriterion]),
          ] as const,
        ]
      : []),
  ] as const;
  return (
    <div>
      <p>
        <strong>Machines.</strong> Missing <MissingOfSeverity id={id} severity="Critical" />{' '}
        critical and <MissingOfSeverity id={id} severity="Important" /> important records.
        {data.lastSeen !== null && (
          <>
            {' '}
            Last report <TimeAgo value={data.lastSeen} />.
          </>
        )}
      </p>
      <ul className={`${styles['figures']} flex flex-wrap gap-y-1 gap-x-4 plain-list`}>
        {lines.map(([words, figure]) => (
          <li key={words}>
            <FigureLink figure={figure} counts={words} />{' '}
            {words === 'being judged' ? <BeingJudged since={data.beingJudgedSince} /> : words}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface MissingOfSeverityProps {
  readonly id: number;
  readonly severity: string;
}

/** Counts each record once, on however many machines it is missing. */
function MissingOfSeverity({ id, severity }: MissingOfSeverityProps) {
  const criterion = { paramName: 'severity', operator: 'equal', value: severity } as const;
  return (
    <CountedLink
      figure={buildMissingRecords(0, id, 'missingAt', [criterion])}
      counts={[
        `${severity.toLowerCase()} record missing`,
        `${severity.toLowerCase()} records missing`,
      ]}
    />
  );
}
