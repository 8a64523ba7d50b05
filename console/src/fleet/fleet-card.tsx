/** The machines of all clients on the dashboard: how many miss something, the most frequently missing records, and the trend. */
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import type { FleetSummary } from '@patch/contract/machine-endpoints.ts';
import { Link } from '@tanstack/react-router';
import { buildMachinesMissing } from '../widgets/build-figure.ts';
import { FigureLink } from '../widgets/figure-link.tsx';
import { formatNumber } from '../widgets/format-number.ts';
import { recordPath } from '../widgets/list-paths.ts';
import { BeingJudged } from './being-judged.tsx';
import { CountedLink } from './counted-link.tsx';
import styles from './fleet.module.css';
import {
  atLeastOne,
  beingJudgedCriterion,
  notJudgedCriterion,
  toMachineFigure,
} from './machine-figure.ts';

export function FleetCard({ summary }: { readonly summary: FleetSummary }) {
  const { machines, machinesMissing, machinesExploited, notJudged, beingJudged, records, trend } =
    summary;
  if (machines === 0)
    return (
      <p className={styles['quiet']}>
        No machines reported. An administrator can allow a licensed client to report its machines.
      </p>
    );
  return (
    <div className={styles['section']}>
      <ul className={styles['figures']}>
        <li>
          <FigureLink figure={toMachineFigure(machines, [])} counts="machines" /> machines
        </li>
        <li>
          <FigureLink
            figure={toMachineFigure(machinesMissing, [atLeastOne('missing')])}
            counts="machines miss something"
          />{' '}
          miss something
        </li>
        <li>
          <FigureLink
            figure={toMachineFigure(machinesExploited, [atLeastOne('missingExploited')])}
            counts="machines miss a fix of a known exploited vulnerability"
          />{' '}
          miss a fix of a known exploited vulnerability
        </li>
        {beingJudged > 0 && (
          <li>
            <FigureLink
              figure={toMachineFigure(beingJudged, [beingJudgedCriterion])}
              counts={`${beingJudged === 1 ? 'machine is' : 'machines are'} being judged`}
            />{' '}
            <BeingJudged since={summary.beingJudgedSince} />
          </li>
        )}
        {notJudged > 0 && (
          <li>
            <FigureLink
              figure={toMachineFigure(notJudged, [notJudgedCriterion])}
              counts="machines are not judged"
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
    <table className={styles['table']}>
      <thead>
        <tr>
          <th scope="col">Missing on most machines</th>
          <th scope="col">Severity</th>
          <th scope="col">Machines</th>
        </tr>
      </thead>
      <tbody>
        {records.map(({ misses, machines, ...record }) => {
          const { list, recordId, identifier, title, severity, exploited } = record;
          return (
            <tr key={`${list} ${recordId}`}>
              <td>
                <Link to={recordPath(getList(list as ListKey), recordId)}>
                  {identifier ?? recordId}
                </Link>
                <span className={styles['quiet']}>{title}</span>
              </td>
              <td>
                {severity ?? 'Unspecified'}
                {exploited === true && <span className={styles['exploited']}>Exploited</span>}
              </td>
              <td className="figures">
                <FigureLink
                  figure={buildMachinesMissing(machines, misses)}
                  counts={`${machines === 1 ? 'machine misses' : 'machines miss'} ${identifier ?? misses}`}
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
    <figure className={styles['trend']}>
      <figcaption>
        Missing critical records, counted on each machine:{' '}
        {formatNumber(first?.missingCritical ?? 0)} {trend.length} days ago,{' '}
        {formatNumber(last?.missingCritical ?? 0)} today. Now{' '}
        <CountedLink
          figure={toMachineFigure(0, [atLeastOne('missingCritical')])}
          counts="machines miss critical records"
        />{' '}
        machines miss any.
      </figcaption>
      <div className={styles['bars']} aria-hidden="true">
        {trend.map(({ day, missingCritical }) => (
          <span key={day} style={{ height: `${(missingCritical / maxCritical) * 100}%` }} />
        ))}
      </div>
    </figure>
  );
}
