/** New critical updates by family, as bars: the last 7 days within the last 30. A family that was never synced says so, and is not shown as none. */

import { type ListKey, listOfKey } from '@patch/catalogue/lists.ts';
import { sourceLabels } from '@patch/catalogue/sources.ts';
import type { Figure } from '@patch/contract/dashboard-endpoint.ts';
import type { SourceState } from '@patch/contract/sync-endpoints.ts';
import { FigureLink } from '../../widgets/figure-link.tsx';
import { VendorMark } from '../../widgets/vendor-mark.tsx';
import styles from './critical-chart.module.css';

interface CriticalRow {
  readonly list: string;
  readonly last7Days: Figure;
  readonly last30Days: Figure;
}

interface CriticalChartProps {
  readonly rows: readonly CriticalRow[];
  /** Undefined while they are not known. */
  readonly sources: readonly SourceState[] | undefined;
}

export function CriticalChart({ rows, sources }: CriticalChartProps) {
  const most = Math.max(1, ...rows.map(({ last30Days }) => last30Days.updateCount));
  return (
    <table className={styles['chart']}>
      <thead>
        <tr>
          <th scope="col">Family</th>
          <th scope="col" aria-hidden="true" />
          <th scope="col" className={styles['figure']}>
            7 days
          </th>
          <th scope="col" className={styles['figure']}>
            30 days
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ list: key, last7Days, last30Days }) => {
          const list = listOfKey(key as ListKey);
          const source = sources?.find((state) => state.source === list.source);
          const label = list.source === null ? list.label : sourceLabels[list.source];
          const unknown = source !== undefined && source.lastSuccessAt === null;
          return (
            <tr key={key}>
              <th scope="row">
                <span className={styles['family']}>
                  <VendorMark of={list.key} size={20} /> {label}
                </span>
              </th>
              {unknown ? (
                <td colSpan={3} className={styles['unknown']}>
                  Not synced yet
                </td>
              ) : (
                <>
                  <td aria-hidden="true">
                    <span
                      className={styles['bar']}
                      data-none={last30Days.updateCount === 0 || undefined}
                      style={{ width: `${(last30Days.updateCount / most) * 100}%` }}
                    >
                      <span
                        className={styles['part']}
                        style={{
                          width: `${last30Days.updateCount === 0 ? 0 : (last7Days.updateCount / last30Days.updateCount) * 100}%`,
                        }}
                      />
                    </span>
                  </td>
                  <td className={styles['figure']}>
                    <FigureLink
                      figure={last7Days}
                      counts={`critical updates of ${label} in 7 days`}
                    />
                  </td>
                  <td className={styles['figure']}>
                    <FigureLink
                      figure={last30Days}
                      counts={`critical updates of ${label} in 30 days`}
                    />
                  </td>
                </>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
