/** The numbers of a report as of now. Each is a link to the list of as many machines. */
import type { GroupReport } from '@patch/contract/reports/group-report-endpoint.ts';
import {
  exposureFigures,
  type NamedFigure,
  unknownFigures,
  unknownWords,
} from '@patch/contract/reports/report-words.ts';
import { FigureLink } from '../../widgets/figure-link.tsx';
import styles from './report.module.css';

type Tone = 'danger' | 'warning';

/** The tone of numbers over zero. */
const tones: Partial<Record<NamedFigure['name'], Tone>> = {
  machinesExploited: 'danger',
  machinesOverdue: 'danger',
  machinesMayMiss: 'warning',
  notJudged: 'warning',
  beingJudged: 'warning',
  silent: 'warning',
};

interface NumbersProps {
  readonly report: GroupReport;
  readonly shown: readonly NamedFigure[];
}

export function ReportNumbers({ report }: Pick<NumbersProps, 'report'>) {
  return (
    <>
      <section className={styles['card']}>
        <h2>Exposure now</h2>
        <Numbers report={report} shown={exposureFigures} />
      </section>
      <section className={styles['card']}>
        <h2>Not known</h2>
        <Numbers report={report} shown={unknownFigures} />
        <p className={styles['quiet']}>{unknownWords}</p>
      </section>
    </>
  );
}

function Numbers({ report, shown }: NumbersProps) {
  return (
    <dl className={styles['numbers']}>
      {shown.map(({ name, label }) => (
        <div key={name} data-tone={report[name].totalCount > 0 ? tones[name] : undefined}>
          <dt>{label}</dt>
          <dd>
            <FigureLink figure={report[name]} counts={label} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
