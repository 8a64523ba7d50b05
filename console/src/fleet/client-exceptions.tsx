/** The missing records that are accepted for a client or one of its machines. Renders nothing without any. */
import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import { getList, type ListKey } from '@patch/catalogue/lists.ts';
import type { ClientException } from '@patch/contract/machine-endpoints.ts';
import { Link } from '@tanstack/react-router';
import { useSession } from '../api/session.ts';
import { Button } from '../widgets/button.tsx';
import { formatNumber } from '../widgets/format-number.ts';
import { recordPath } from '../widgets/list-paths.ts';
import { LoadFailure } from '../widgets/load-failure.tsx';
import { AcceptanceDetails } from './accepted-records.tsx';
import styles from './fleet.module.css';
import { useEndException } from './use-end-exception.ts';
import { useExceptionsOfClient } from './use-fleet.ts';

export function ClientExceptions({ id }: { readonly id: number }) {
  const isAdmin = useSession().user?.userType === 'Admin';
  const { data, error, refetch } = useExceptionsOfClient(id);
  if (error !== null)
    return <LoadFailure what="exceptions" failure={error} onReload={() => void refetch()} />;
  if (data === undefined || data.totalCount === 0) return null;
  return (
    <section className={styles['section']} aria-label="Accepted records">
      <h3 className={styles['headline']}>
        {formatNumber(data.totalCount)} accepted{' '}
        <span className={styles['quiet']}>not counted as missing</span>
      </h3>
      <div className={styles['scroller']}>
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">Record</th>
              <th scope="col">For</th>
              <th scope="col">Accepted</th>
              {isAdmin && <th scope="col">Action</th>}
            </tr>
          </thead>
          <tbody>
            {data.objList.map((exception) => (
              <ExceptionRow key={exception.exceptionId} exception={exception} isAdmin={isAdmin} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function ExceptionRow({
  exception,
  isAdmin,
}: {
  readonly exception: ClientException;
  readonly isAdmin: boolean;
}) {
  const { exceptionId, list, recordId, identifier, title, machineId, machine } = exception;
  const end = useEndException();
  const name = identifier ?? `record ${recordId}`;
  return (
    <tr>
      <td>
        <Link to={recordPath(getList(list as ListKey), recordId)}>{name}</Link>
        <span className={styles['quiet']}>{title}</span>
      </td>
      <td>
        {machineId === null ? (
          'All machines'
        ) : (
          <Link to={recordPath(machineList, machineId)}>{machine ?? machineId}</Link>
        )}
      </td>
      <td>
        <AcceptanceDetails accepted={exception} />
      </td>
      {isAdmin && (
        <td>
          <Button
            small
            aria-label={`End the exception for ${name}`}
            onClick={() => void end({ exceptionId, name, forClient: machineId === null })}
          >
            End
          </Button>
        </td>
      )}
    </tr>
  );
}
