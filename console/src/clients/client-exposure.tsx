/** The records that a client has not fetched yet, by list. Each number links to these records. */
import type { ListExposure } from '@patch/contract/licensing/licensed-client-endpoints.ts';
import { FigureLink } from '../widgets/figure-link.tsx';
import { formatCount } from '../widgets/format-number.ts';
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
  const declined = data.lists.filter((list) => list.declined > 0);
  return (
    <div>
      <p>
        <strong>Not fetched yet.</strong>{' '}
        {behind.length === 0
          ? declined.length === 0
            ? 'The client is up to date with its families.'
            : 'The client is up to date with what its ring lets through.'
          : data.critical + data.important === 0
            ? 'No critical or important updates missing.'
            : 'Critical or important updates are missing:'}
      </p>
      {declined.length === 0 ? null : (
        <p>
          Its ring declines{' '}
          {declined
            .map((list) => `${formatCount(list.declined, ['record', 'records'])} of ${list.label}`)
            .join(', ')}
          .
        </p>
      )}
      {behind.length === 0 ? null : (
        // Narrow drawers scroll the table, not the page.
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

function ExposureRow({ label, critical, important, all, fetchedOn }: ListExposure) {
  const figures = [
    { figure: critical, words: 'critical ' },
    { figure: important, words: 'important ' },
    { figure: all, words: '' },
  ];
  return (
    <tr>
      <th scope="row">{label}</th>
      {figures.map(({ figure, words }) => (
        <td key={words}>
          {figure === null ? (
            '–'
          ) : (
            <FigureLink
              figure={figure}
              counts={[`${words}update of ${label} missing`, `${words}updates of ${label} missing`]}
            />
          )}
        </td>
      ))}
      <td>{fetchedOn === null ? 'never' : <TimeAgo value={fetchedOn} />}</td>
    </tr>
  );
}
