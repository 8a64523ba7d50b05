/** A summary of the missing records of a client's machines, on the client's page. */

import { FigureLink } from '../widgets/figure-link.tsx';
import { formatNumber } from '../widgets/format-number.ts';
import { LoadFailure } from '../widgets/load-failure.tsx';
import { TimeAgo } from '../widgets/time-ago.tsx';
import styles from './fleet.module.css';
import { notJudgedCriterion, toMachineFigure } from './machine-figure.ts';
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
      <p className={styles['quiet']}>The client may report machines and has not reported any.</p>
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
        <strong>Machines.</strong> Missing {formatNumber(data.missingCritical)} critical and{' '}
        {formatNumber(data.missingImportant)} important records, counted on each machine.
        {data.lastSeen !== null && (
          <>
            {' '}
            Last report <TimeAgo value={data.lastSeen} />.
          </>
        )}
      </p>
      <ul className={styles['figures']}>
        {lines.map(([words, figure]) => (
          <li key={words}>
            <FigureLink figure={figure} counts={words} /> {words}
          </li>
        ))}
      </ul>
    </div>
  );
}

const atLeastOne = (paramName: string) => ({
  paramName,
  operator: 'greater_than' as const,
  value: 0,
});
