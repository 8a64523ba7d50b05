/** After how many days records were patched, by the bands of due dates. */
import type { GroupReport } from '@patch/contract/reports/group-report-endpoint.ts';
import { patchedBands } from '@patch/contract/reports/report-words.ts';
import { formatCount, formatNumber } from '../../widgets/format-number.ts';
import styles from './report.module.css';

export function DaysToPatch({ report }: { readonly report: GroupReport }) {
  const { patched, patchedSince, from } = report;
  return (
    <section className={styles['card']}>
      <h2>Days to patch</h2>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">Patched in the period</th>
            <th scope="col">Records</th>
            <th scope="col">Mean</th>
            <th scope="col">Median</th>
          </tr>
        </thead>
        <tbody>
          {patchedBands.map(({ band, label }) => {
            const own = patched.find((one) => one.band === band);
            return (
              <tr key={band}>
                <th scope="row">{label}</th>
                <td>{formatNumber(own?.records ?? 0)}</td>
                <td>{daysWords(own?.meanDays)}</td>
                <td>{daysWords(own?.medianDays)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className={styles['quiet']}>
        From the release, or from when the catalogue knew the record where that is later, until the
        report in which the machine no longer missed it; each record is counted on each machine.
        Records that the catalogue withdrew or no longer finds missing, that were accepted, or whose
        package was removed are not counted.
        {patchedSince > from && ` Kept since ${new Date(patchedSince).toISOString().slice(0, 10)}.`}
      </p>
    </section>
  );
}

const daysWords = (days: number | undefined) =>
  days === undefined ? '–' : formatCount(Math.round(10 * days) / 10, ['day', 'days']);
