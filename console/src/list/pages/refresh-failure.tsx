/** Note above rows that could not be refreshed: reason, age, and a button to retry. */
import { ApiCallError } from '../../api/api-call-error.ts';
import { useConnectionLost } from '../../api/connection.ts';
import { Button } from '../../widgets/button.tsx';
import { TimeAgo } from '../../widgets/time-ago.tsx';
import styles from './refresh-failure.module.css';
import type { ListRows } from './use-list-page.ts';

type FailedRows = Pick<ListRows, 'refreshError' | 'loadedAt' | 'isFetching' | 'refetch'>;

export function RefreshFailure({ shown }: { readonly shown: FailedRows }) {
  const { refreshError, loadedAt, isFetching, refetch } = shown;
  const isLost = useConnectionLost();
  return (
    <div role="status" className={styles['status']}>
      {refreshError === null ? null : (
        <div className="warning-box flex flex-wrap items-center justify-between gap-y-2 gap-x-4 text-warning text-dense">
          <span>
            {isLost ? 'Connection lost.' : `Loading failed: ${toMessage(refreshError)}`} These rows
            were loaded <TimeAgo value={loadedAt} />.
            {isLost ? ' The list refreshes when the connection is back.' : ''}
          </span>
          <Button small loading={isFetching} onClick={refetch}>
            Try again
          </Button>
        </div>
      )}
    </div>
  );
}

const toMessage = (failure: Error): string =>
  failure instanceof ApiCallError ? failure.userMessage : failure.message;
