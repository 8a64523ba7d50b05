/** Histogram as a table for screen readers. */
import type { Histogram } from '@patch/contract/records/search-summary-endpoint.ts';
import { formatNumber } from '../widgets/format-number.ts';
import { bucketName, sortSeverities } from './bucket-text.ts';

interface HistogramTableProps {
  /** Label of the date field. */
  readonly label: string;
  readonly histogram: Histogram;
  readonly zone: string;
}

export function HistogramTable({ label, histogram, zone }: HistogramTableProps) {
  const { unit, buckets, withoutDate } = histogram;
  const severities = sortSeverities(buckets.flatMap(({ bySeverity }) => Object.keys(bySeverity)));
  return (
    // The wrapper hides the table, because a table ignores the width of its class.
    <div className="visually-hidden">
      <table>
        <caption>
          Records by {unit}: {label}. {formatNumber(withoutDate)} without a date.
        </caption>
        <thead>
          <tr>
            <th scope="col">{label}</th>
            <th scope="col">Records</th>
            {severities.map((severity) => (
              <th key={severity} scope="col">
                {severity}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {buckets
            .filter(({ count }) => count > 0)
            .map((bucket) => (
              <tr key={bucket.from}>
                <th scope="row">{bucketName(bucket, unit, zone)}</th>
                <td>{formatNumber(bucket.count)}</td>
                {severities.map((severity) => (
                  <td key={severity}>{formatNumber(bucket.bySeverity[severity] ?? 0)}</td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}
