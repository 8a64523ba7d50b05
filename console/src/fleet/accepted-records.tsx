/** The accepted records of a machine: reason, end date and author. Administrators can end an exception. */
import type { AcceptedMissing, MachineMissingRecord } from '@patch/contract/machine-endpoints.ts';
import { dayDate } from '../values/day-date.ts';
import { useReaderZone } from '../values/reader-zone.ts';
import { buildMissingRecords } from '../widgets/build-figure.ts';
import { Button } from '../widgets/button.tsx';
import { FigureLink } from '../widgets/figure-link.tsx';
import { LoadFailure } from '../widgets/load-failure.tsx';
import styles from './fleet.module.css';
import { RecordCell, SeverityCell } from './missing-cells.tsx';
import { useEndException } from './use-end-exception.ts';
import { useMachineAccepted } from './use-fleet.ts';

interface AcceptedRecordsProps {
  readonly machineId: number;
  readonly count: number;
  /** Index of the first accepted record among the records of the machine. */
  readonly offset: number;
  readonly isAdmin: boolean;
}

export function AcceptedRecords({ machineId, count, offset, isAdmin }: AcceptedRecordsProps) {
  const { data, error, refetch } = useMachineAccepted(machineId, offset);
  if (error !== null)
    return <LoadFailure what="accepted records" failure={error} onReload={() => void refetch()} />;
  const records = data?.objList.filter(({ accepted }) => accepted !== null) ?? [];
  return (
    <section className={styles['section']} aria-label="Accepted records">
      <h3 className={styles['headline']}>
        <FigureLink
          figure={buildMissingRecords(count, machineId, 'acceptedOn')}
          counts={['record accepted', 'records accepted']}
        />{' '}
        accepted <span className={styles['quiet']}>not counted as missing</span>
      </h3>
      <div className={styles['scroller']}>
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">Record</th>
              <th scope="col">Severity</th>
              <th scope="col">Accepted</th>
              {isAdmin && <th scope="col">Action</th>}
            </tr>
          </thead>
          <tbody>
            {records.map((record) => (
              <AcceptedRow
                key={`${record.list} ${record.recordId}`}
                record={record}
                isAdmin={isAdmin}
              />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function AcceptedRow({
  record,
  isAdmin,
}: {
  readonly record: MachineMissingRecord;
  readonly isAdmin: boolean;
}) {
  const { accepted, identifier, recordId } = record;
  const end = useEndException();
  if (accepted === null) return null;
  return (
    <tr>
      <RecordCell record={record} />
      <SeverityCell record={record} />
      <td>
        <AcceptanceDetails accepted={accepted} />
        {accepted.forClient && (
          <span className={styles['quiet']}>On all machines of the client</span>
        )}
      </td>
      {isAdmin && (
        <td>
          <Button
            small
            aria-label={`End the exception for ${identifier ?? recordId}`}
            onClick={() => void end({ ...accepted, name: identifier ?? `record ${recordId}` })}
          >
            End
          </Button>
        </td>
      )}
    </tr>
  );
}

export function AcceptanceDetails({
  accepted: { until, by, reason },
}: {
  readonly accepted: Pick<AcceptedMissing, 'until' | 'by' | 'reason'>;
}) {
  const zone = useReaderZone();
  return (
    <>
      {reason}
      <span className={styles['quiet']}>
        until {dayDate(until, zone)}, by {by}
      </span>
    </>
  );
}
