/** The machines of all clients on the dashboard: how many miss something, the most frequently missing records, and the trend. */

import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import type { FleetSummary } from '@patch/contract/fleet/machine-endpoints.ts';
import { Link } from '@tanstack/react-router';
import { CountedLink } from '../summary/counted-link.tsx';
import { ColumnHeads } from '../theme/column-heads.tsx';
import { buildMachinesMissing } from '../widgets/build-figure.ts';
import { FigureLink } from '../widgets/figure-link.tsx';
import { formatCount, formatNumber, inflect } from '../widgets/format-number.ts';
import { recordPath } from '../widgets/list-paths.ts';
import { BeingJudged } from './being-judged.tsx';
import styles from './fleet.module.css';
import {
  atLeastOne,
  beingJudgedCriterion,
  isOverdue,
  notJudgedCriterion,
  toMachineFigure,
} from './machine-figure.ts';
import { SeverityCell } from './missing-cells.tsx';

export function FleetCard({ summary }: { readonly summary: FleetSummary }) {
  const { machines, machinesMissing, machinesExploited, machinesOverdue } = summary;
  const { notJudged, beingJudged, records, trend } = summary;
  if (machines === 0)
    return (
      <p className="text-quiet figures">
        No machines reported. An administrator can allow a licensed client to report its machines.
      </p>
    );
  return (
    <div className="grid grid-cols-1 gap-3 min-w-0">
      <ul className={`${styles['figures']} flex flex-wrap gap-y-1 gap-x-4 plain-list`}>
        <li>
          <FigureLink figure={toMachineFigure(machines, [])} counts={['machine', 'machines']} />{' '}
          {inflect(machines, ['machine', 'machines'])}
        </li>
        <li>
          <FigureLink
            figure={toMachineFigure(machinesMissing, [atLeastOne('missing')])}
            counts={['machine misses something', 'machines miss something']}
          />{' '}
          {inflect(machinesMissing, ['misses something', 'miss something'])}
        </li>
        <li>
          <FigureLink
            figure={toMachineFigure(machinesExploited, [atLeastOne('missingExploited')])}
            counts={[
              'machine misses a fix of a known exploited vulnerability',
              'machines miss a fix of a known exploited vulnerability',
            ]}
          />{' '}
          {inflect(machinesExploited, ['misses', 'miss'])} a fix of a known exploited vulnerability
        </li>
        <li>
          <FigureLink
            figure={toMachineFigure(machinesOverdue, [isOverdue])}
            counts={['machine has an overdue record', 'machines have overdue records']}
          />{' '}
          {inflect(machinesOverdue, ['has an overdue record', 'have overdue records'])}
        </li>
        {beingJudged > 0 && (
          <li>
            <FigureLink
              figure={toMachineFigure(beingJudged, [beingJudgedCriterion])}
              counts={['machine is being judged', 'machines are being judged']}
            />{' '}
            <BeingJudged since={summary.beingJudgedSince} />
          </li>
        )}
        {notJudged > 0 && (
          <li>
            <FigureLink
              figure={toMachineFigure(notJudged, [notJudgedCriterion])}
              counts={['machine is not judged', 'machines are not judged']}
            />{' '}
            not judged
          </li>
        )}
      </ul>
      {records.length > 0 && <MostMissed records={records} />}
      {trend.length > 1 && <Trend trend={trend} />}
    </div>
  );
}

function MostMissed({ records }: Pick<FleetSummary, 'records'>) {
  return (
    <table className={`${styles['table']} w-full border-collapse text-dense`}>
      <ColumnHeads of={['Missing on most machines', 'Severity', 'Machines']} />
      <tbody>
        {records.map(({ misses, machines, ...record }) => {
          const { list, recordId, identifier, title } = record;
          return (
            <tr key={`${list} ${recordId}`}>
              <td>
                <Link to={recordPath(getList(list as ListKey), recordId)}>
                  {identifier ?? recordId}
                </Link>
                <span className={`${styles['below']} text-quiet figures`}>{title}</span>
              </td>
              <SeverityCell record={record} />
              <td className="figures">
                <FigureLink
                  figure={buildMachinesMissing(machines, misses)}
                  counts={[
                    `machine misses ${identifier ?? misses}`,
                    `machines miss ${identifier ?? misses}`,
                  ]}
                />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Bars with the same numbers as text for screen readers. */
function Trend({ trend }: Pick<FleetSummary, 'trend'>) {
  const maxCritical = Math.max(1, ...trend.map(({ missingCritical }) => missingCritical));
  const [first, last] = [trend[0], trend.at(-1)];
  return (
    <figure className="grid gap-2 m-0 text-quiet text-dense">
      <figcaption>
        Missing critical records, counted on each machine:{' '}
        {formatNumber(first?.missingCritical ?? 0)} {trend.length} days ago,{' '}
        {formatNumber(last?.missingCritical ?? 0)} today. Now{' '}
        <CountedLink
          figure={toMachineFigure(0, [atLeastOne('missingCritical')])}
          counts={['machine misses any critical record', 'machines miss any critical record']}
          format={(count) => formatCount(count, ['machine misses any', 'machines miss any'])}
        />
        .
      </figcaption>
      <div className={`${styles['bars']} flex`} aria-hidden="true">
        {trend.map(({ day, missingCritical }) => (
          <span
            key={day}
            className="flex-1"
            style={{ height: `${(missingCritical / maxCritical) * 100}%` }}
          />
        ))}
      </div>
    </figure>
  );
}
