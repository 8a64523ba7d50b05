/** What a client has not fetched yet, list by list; each number leads to the very records. */
import type { ListExposure } from '@patch/contract/licensed-client-endpoints.ts';
import { FigureLink } from '../widgets/figure-link.tsx';
import { formatNumber } from '../widgets/format-number.ts';
import { LoadFailure } from '../widgets/load-failure.tsx';
import { Spinner } from '../widgets/spinner.tsx';
import { TimeAgo } from '../widgets/time-ago.tsx';
import styles from './client-panel.module.css';
import { useExposure } from './use-client.ts';

export function ClientExposure({ id }: { readonly id: number }) {
  const { data, error, refetch } = useExposure(id);
  if (error !== null)
    return <LoadFailure what="exposure" failure={error} onReload={() => void refetch()} />;
  if (data === undefined) return <Spinner />;
  const behind = data.lists.filter(({ all }) => all.totalCount > 0);
  const lacks =
    data.critical + data.important > 0
      ? `Missing ${formatNumber(data.critical)} critical and ${formatNumber(data.important)} important updates.`
      : 'No critical or important updates missing.';
  // Only where the numbers of the lists do not add up to it.
  const counted =
    isShared(behind, 'critical', data.critical) || isShared(behind, 'important', data.important);
  return (
    <div>
      <p>
        <strong>Not fetched yet.</strong>{' '}
        {behind.length === 0 ? 'The client is up to date with its families.' : lacks}
        {counted ? ' An update that appears in several lists counts once.' : ''}
      </p>
      {behind.length === 0 ? null : (
        // A narrow drawer scrolls the table, not the page.
        <div className={styles['scroller']}>
          <table className={styles['exposure']}>
            <thead>
              <tr>
                <th scope="col">List</th>
                <th scope="col">Critical</th>
                <th scope="col">Important</th>
                <th scope="col">All</th>
                <th scope="col">Fetched</th>
              </tr>
            </thead>
            <tbody>
              {behind.map((exposure) => (
                <ExposureRow key={exposure.list} {...exposure} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

const isShared = (
  lists: readonly ListExposure[],
  rating: 'critical' | 'important',
  together: number,
): boolean => lists.reduce((sum, list) => sum + (list[rating]?.updateCount ?? 0), 0) !== together;

function ExposureRow({ label, critical, important, all, fetchedOn }: ListExposure) {
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>
        {critical === null ? (
          '–'
        ) : (
          <FigureLink figure={critical} counts={`critical updates of ${label} missing`} />
        )}
      </td>
      <td>
        {important === null ? (
          '–'
        ) : (
          <FigureLink figure={important} counts={`important updates of ${label} missing`} />
        )}
      </td>
      <td>
        <FigureLink figure={all} counts={`updates of ${label} missing`} />
      </td>
      <td>{fetchedOn === null ? 'never' : <TimeAgo value={fetchedOn} />}</td>
    </tr>
  );
}
