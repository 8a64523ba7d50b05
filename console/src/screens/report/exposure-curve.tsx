/** The days of a period as lines, and as a table. */
import { type GroupReport, silentDays } from '@patch/contract/reports/group-report-endpoint.ts';
import { formatNumber } from '../../widgets/format-number.ts';
import { type CurveName, curveLines, dayMs, presentSince } from './curve-lines.ts';
import styles from './report.module.css';

const series: readonly { readonly name: CurveName; readonly label: string }[] = [
  { name: 'machinesMissing', label: 'miss something' },
  { name: 'machinesOverdue', label: 'are overdue' },
  { name: 'machinesExploited', label: 'miss a fix that is known exploited' },
  { name: 'machinesUnjudged', label: 'not judged' },
];

const isoDay = (time: number) => new Date(time).toISOString().slice(0, 10);

export function ExposureCurve({ report }: { readonly report: GroupReport }) {
  const { curve, days } = report;
  return (
    <section className={styles['card']}>
      <h2>Exposure over time</h2>
      {curve.length === 0 ? (
        <p>
          No day of the period was counted. Counts are kept from the first day on which machines are
          judged.
        </p>
      ) : (
        <Lines report={report} />
      )}
      {curve.length > 0 && curve.length < days && (
        <p className={styles['quiet']}>
          {formatNumber(days - curve.length)} of {days} days have no counts, which are gaps in the
          lines.
        </p>
      )}
      <CriteriaWords report={report} />
    </section>
  );
}

function CriteriaWords({ report: { curve } }: { readonly report: GroupReport }) {
  const since = presentSince(curve);
  if (since === null) return null;
  return (
    <p className={styles['warning']}>
      {since === undefined
        ? 'The criteria of the group have changed: no day is counted by the present ones yet. Thin lines are of the machines that the group had before.'
        : `The criteria of the group have changed: the counts are of the present ones from ${isoDay(since)} on. Thin lines are of the machines that the group had before.`}
    </p>
  );
}

function Lines({ report: { curve, from, days } }: { readonly report: GroupReport }) {
  const counts = curve.flatMap((day) => series.map(({ name }) => day[name] ?? 0));
  const top = Math.max(1, ...counts);
  const last = from + (days - 1) * dayMs;
  const newest = curve.at(-1);
  return (
    <figure className={styles['curve']}>
      <div className={styles['plot']}>
        <span className={styles['top']}>{formatNumber(top)} machines</span>
        <svg
          viewBox={`0 0 ${days - 1} ${top}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Machines on the last ${days} days; the table below has the numbers`}
        >
          {series.map(({ name }) => (
            <g key={name} data-curve={name}>
              {curveLines(curve, name, { from, top }).map(({ path, isDot, present }) => (
                <path
                  key={path}
                  d={path}
                  data-dot={isDot || undefined}
                  data-former={present ? undefined : true}
                />
              ))}
            </g>
          ))}
        </svg>
      </div>
      <div className={styles['ends']} aria-hidden="true">
        <span>{isoDay(from)}</span>
        <span>{isoDay(last)}</span>
      </div>
      <figcaption>
        <ul className={styles['legend']}>
          {series.map(({ name, label }) => (
            <li key={name}>
              <svg viewBox="0 0 24 8" width="24" height="8" aria-hidden="true">
                <g data-curve={name}>
                  <path d="M1 4H23" />
                </g>
              </svg>
              {label}: {countWords(newest?.[name])}
            </li>
          ))}
        </ul>
        <p className={styles['quiet']}>
          Last counted on {isoDay(newest?.day ?? last)}, of {formatNumber(newest?.machines ?? 0)}{' '}
          machines. A machine that has been silent for {silentDays} days counts as it last reported.
        </p>
      </figcaption>
      <DaysTable curve={curve} />
    </figure>
  );
}

const countWords = (count: number | null | undefined) =>
  count === null || count === undefined ? 'not counted' : formatNumber(count);

function DaysTable({ curve }: Pick<GroupReport, 'curve'>) {
  return (
    <details className={styles['days']}>
      <summary>Days as a table</summary>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">machines</th>
            {series.map(({ name, label }) => (
              <th key={name} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {curve.toReversed().map((day) => (
            <tr key={day.day}>
              <th scope="row">
                {isoDay(day.day)}
                {day.present ? '' : ' (other criteria)'}
              </th>
              <td>{formatNumber(day.machines)}</td>
              {series.map(({ name }) => (
                <td key={name}>{countWords(day[name])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
