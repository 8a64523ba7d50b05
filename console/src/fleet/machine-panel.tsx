/** What a machine misses, over its facts: what keeps the answer from being trusted first, then each record with its evidence. */
import type { MachineMissingRecord } from '@patch/contract/machine-endpoints.ts';
import { useState } from 'react';
import { dayDate } from '../values/day-date.ts';
import { useReaderZone } from '../values/reader-zone.ts';
import { Button } from '../widgets/button.tsx';
import { formatNumber } from '../widgets/format-number.ts';
import { LoadFailure } from '../widgets/load-failure.tsx';
import { Spinner } from '../widgets/spinner.tsx';
import styles from './fleet.module.css';
import { EvidenceCell, RecordCell, SeverityCell } from './missing-cells.tsx';
import { RemoveMachine } from './remove-machine.tsx';
import { useMachineMissing } from './use-fleet.ts';

const shownAtFirst = 20;
const mostShown = 1000;

export function MachinePanel({ id }: { readonly id: number }) {
  const [size, setSize] = useState(shownAtFirst);
  const { data, error, refetch } = useMachineMissing(id, size);
  if (error !== null)
    return <LoadFailure what="missing records" failure={error} onReload={() => void refetch()} />;
  if (data === undefined) return <Spinner />;
  const { objList, totalCount, judgedOn, notJudged } = data;
  return (
    <section className={styles['panel']} aria-label="Missing records">
      <p className={styles['headline']}>{headline(totalCount, judgedOn, notJudged)}</p>
      {objList.length > 0 && <MissingRecords records={objList} />}
      <div className={styles['buttons']}>
        {totalCount > objList.length && size < mostShown && (
          <Button small onClick={() => setSize(mostShown)}>
            Show all {formatNumber(totalCount)}
          </Button>
        )}
        <RemoveMachine id={id} />
      </div>
    </section>
  );
}

/** Never says that nothing is missing where nothing was judged. */
function headline(totalCount: number, judgedOn: number | null, notJudged: boolean): string {
  if (judgedOn === null) return 'The inventory has not been compared with the catalogue yet.';
  if (notJudged)
    return 'Not judged: this repository has no records of the machine’s release, so nothing is known about missing patches.';
  if (totalCount === 0) return 'Nothing is missing of what this repository knows.';
  return `${formatNumber(totalCount)} ${totalCount === 1 ? 'record' : 'records'} missing`;
}

function MissingRecords({ records }: { readonly records: readonly MachineMissingRecord[] }) {
  return (
    // A narrow drawer scrolls the table, not the page.
    <div className={styles['scroller']}>
      <table className={styles['table']}>
        <thead>
          <tr>
            <th scope="col">Record</th>
            <th scope="col">Severity</th>
            <th scope="col">Installed → fixed</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <MissingRow key={`${record.list} ${record.recordId}`} record={record} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function MissingRow({ record }: { readonly record: MachineMissingRecord }) {
  const zone = useReaderZone();
  return (
    <tr>
      <RecordCell record={record} />
      <SeverityCell record={record} />
      <EvidenceCell record={record} />
      <td>{stateText(record, zone)}</td>
    </tr>
  );
}

const stateLabels = {
  missing: 'Missing',
  uncertain: 'Uncertain',
  needsSubscription: 'Needs a subscription',
} as const;

function stateText({ state, accepted }: MachineMissingRecord, zone: string): string {
  if (accepted === null) return stateLabels[state];
  return `Accepted until ${dayDate(accepted.until, zone)} by ${accepted.by}: ${accepted.reason}`;
}
