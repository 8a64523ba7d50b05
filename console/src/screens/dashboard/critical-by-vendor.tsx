/** Critical patches of the last 30 days by vendor, as bars. */
import type { CriticalOfVendor } from '@patch/contract/reports/dashboard-endpoint.ts';
import { FigureLink } from '../../widgets/figure-link.tsx';
import styles from './critical-by-vendor.module.css';

export function CriticalByVendor({ rows }: { readonly rows: readonly CriticalOfVendor[] }) {
  if (rows.length === 0)
    return <p className="text-quiet">No critical patches in the last 30 days.</p>;
  const maxCount = Math.max(1, ...rows.map(({ figure }) => figure.totalCount));
  return (
    <table
      className={`${styles['chart']} w-full border-collapse text-dense`}
      aria-label="Critical patches of 30 days by vendor"
    >
      <thead className="visually-hidden">
        <tr>
          <th scope="col">Vendor</th>
          <th scope="col" aria-hidden="true" />
          <th scope="col">Critical patches</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ vendor, figure }) => (
          <tr key={vendor ?? ''}>
            <th scope="row">{vendor ?? 'Others'}</th>
            <td aria-hidden="true">
              <span
                className={styles['bar']}
                style={{ width: `${(figure.totalCount / maxCount) * 100}%` }}
              />
            </td>
            <td className={styles['figure']}>
              <FigureLink
                figure={figure}
                counts={[
                  `critical patch of ${vendor ?? 'others'} in 30 days`,
                  `critical patches of ${vendor ?? 'others'} in 30 days`,
                ]}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
