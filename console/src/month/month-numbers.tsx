/** The numbers of a month. Each is a link to a list with as many rows. */
import type { Figure } from '@patch/contract/reports/dashboard-endpoint.ts';
import type { Month } from '@patch/contract/reports/month-endpoints.ts';
import { Fragment } from 'react';
import { FigureLink } from '../widgets/figure-link.tsx';
import styles from './month.module.css';

interface Shown {
  readonly label: string;
  readonly figure: Figure;
  readonly help?: string;
}

export function MonthNumbers({ month }: { readonly month: Month }) {
  const { own } = month;
  const numbers: readonly Shown[] = [
    { label: 'updates', figure: month.figure },
    { label: 'known exploited', figure: month.exploited },
    {
      label: 'publicly known',
      figure: month.publiclyKnown,
      help: 'Before the fix, says Microsoft of its own KBs. Other sources say nothing of it.',
    },
    { label: 'critical', figure: month.critical },
    { label: 'superseded by now', figure: month.superseded },
    ...(own === null || own.names.length === 0
      ? []
      : [
          { label: 'of all products', figure: month.everything },
          { label: 'name no product', figure: month.withoutProduct, help: 'Never among yours.' },
        ]),
  ];
  return (
    <section aria-label="In numbers">
      <dl className={styles['numbers']}>
        {numbers.map(({ label, figure, help }) => (
          <div key={label}>
            <dt data-tip={help}>{label}</dt>
            <dd>
              <FigureLink figure={figure} counts={label} />
            </dd>
          </div>
        ))}
      </dl>
      {month.days.some(({ figure }) => figure.totalCount > 0) && (
        <p className={styles['days']}>
          Microsoft:{' '}
          {month.days.map(({ label, figure }, index) => (
            <Fragment key={label}>
              {index > 0 ? ', ' : ''}
              <FigureLink figure={figure} counts={`updates of Microsoft ${label}`} /> {label}
            </Fragment>
          ))}
        </p>
      )}
    </section>
  );
}
