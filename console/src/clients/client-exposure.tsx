/** The records that a client has not fetched yet, by list. Each number links to these records. */
import type {
  ClientExposure as Exposure,
  ListExposure,
} from '@patch/contract/licensed-client-endpoints.ts';
import { FigureLink } from '../widgets/figure-link.tsx';
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
  // The note explains why the numbers of the lists do not add up.
  const hasSharedUpdates =
    hasSharedCount(behind, 'critical', data.critical) ||
    hasSharedCount(behind, 'important', data.important);
  return (
    <div>
      <p>
        <strong>Not fetched yet.</strong>{' '}
        {behind.length === 0 ? (
          'The client is up to date with its families.'
        ) : (
          <Lacks exposure={data} behind={behind} />
        )}
        {hasSharedUpdates ? ' An update that appears in several lists counts once.' : ''}
      </p>
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

interface LacksProps {
  readonly exposure: Pick<Exposure, 'critical' | 'important'>;
  readonly behind: readonly ListExposure[];
}

/** States the numbers where one list has all of the updates. Over several lists, no search finds them together. */
function Lacks({ exposure: { critical, important }, behind }: LacksProps) {
  if (critical + important === 0) return 'No critical or important updates missing.';
  const [list, ...others] = behind.filter(
    (one) => (one.critical?.totalCount ?? 0) + (one.important?.totalCount ?? 0) > 0,
  );
  const [ofCritical, ofImportant] = [list?.critical ?? null, list?.important ?? null];
  if (others.length > 0 || ofCritical === null || ofImportant === null)
    return 'Critical or important updates of several lists are missing.';
  return (
    <>
      Missing <FigureLink figure={ofCritical} counts="critical updates missing" /> critical and{' '}
      <FigureLink figure={ofImportant} counts="important updates missing" /> important updates.
    </>
  );
}

const hasSharedCount = (
  lists: readonly ListExposure[],
  rating: 'critical' | 'important',
  total: number,
): boolean => lists.reduce((sum, list) => sum + (list[rating]?.updateCount ?? 0), 0) !== total;

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
