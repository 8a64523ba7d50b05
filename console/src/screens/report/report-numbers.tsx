/** The numbers of a report as of now. Each is a link to the list of as many machines. */
import type { Figure } from '@patch/contract/dashboard-endpoint.ts';
import { type GroupReport, silentDays } from '@patch/contract/group-report-endpoint.ts';
import { FigureLink } from '../../widgets/figure-link.tsx';
import styles from './report.module.css';

interface Shown {
  readonly label: string;
  readonly figure: Figure;
  readonly tone?: 'danger' | 'warning' | undefined;
}

const alarm = (figure: Figure, tone: 'danger' | 'warning') =>
  figure.totalCount > 0 ? tone : undefined;

export function ReportNumbers({ report }: { readonly report: GroupReport }) {
  const { machinesExploited, machinesOverdue, notJudged, beingJudged, silent } = report;
  const exposure: readonly Shown[] = [
    { label: 'machines', figure: report.machines },
    { label: 'miss something', figure: report.machinesMissing },
    {
      label: 'miss a fix that is known exploited',
      figure: machinesExploited,
      tone: alarm(machinesExploited, 'danger'),
    },
    { label: 'miss a critical fix', figure: report.machinesCritical },
    { label: 'are overdue', figure: machinesOverdue, tone: alarm(machinesOverdue, 'danger') },
    { label: 'have accepted records', figure: report.machinesAccepted },
    { label: 'miss nothing', figure: report.missingNothing },
  ];
  const unknown: readonly Shown[] = [
    { label: 'not judged', figure: notJudged, tone: alarm(notJudged, 'warning') },
    { label: 'being judged', figure: beingJudged, tone: alarm(beingJudged, 'warning') },
    {
      label: `silent for ${silentDays} days`,
      figure: silent,
      tone: alarm(silent, 'warning'),
    },
  ];
  return (
    <>
      <section className={styles['card']}>
        <h2>Exposure now</h2>
        <Numbers shown={exposure} />
      </section>
      <section className={styles['card']}>
        <h2>Not known</h2>
        <Numbers shown={unknown} />
        <p className={styles['quiet']}>
          The catalogue has no records of the releases of machines that are not judged. Of silent
          machines the numbers are those of their last report. Neither count as missing nothing.
        </p>
      </section>
    </>
  );
}

function Numbers({ shown }: { readonly shown: readonly Shown[] }) {
  return (
    <dl className={styles['numbers']}>
      {shown.map(({ label, figure, tone }) => (
        <div key={label} data-tone={tone}>
          <dt>{label}</dt>
          <dd>
            <FigureLink figure={figure} counts={label} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
