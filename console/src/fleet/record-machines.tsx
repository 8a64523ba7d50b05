/** "Machines that miss it", below a vendor's record. Renders nothing where no machine reports. */

import { machineList } from '@patch/catalogue/fleet/machine-list.ts';
import type { MachineOfRecord } from '@patch/contract/fleet/machine-endpoints.ts';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { ColumnHeads } from '../theme/column-heads.tsx';
import { Button } from '../widgets/button.tsx';
import { formatNumber } from '../widgets/format-number.ts';
import { recordPath } from '../widgets/list-paths.ts';
import { TimeAgo } from '../widgets/time-ago.tsx';
import styles from './fleet.module.css';
import { MissingMachines } from './missing-machines.tsx';
import { PlanMissedRecord } from './plan-missed-record.tsx';
import { useMachinesOfRecord } from './use-fleet.ts';

const initialSize = 10;
const maxSize = 1000;

interface RecordMachinesProps {
  readonly list: string;
  readonly id: number;
  /** The heading level below that of the record. */
  readonly Heading: 'h2' | 'h3';
}

export function RecordMachines({ list, id, Heading }: RecordMachinesProps) {
  const titleId = useId();
  const [size, setSize] = useState(initialSize);
  const { data, error, refetch } = useMachinesOfRecord(list, id, size);
  if (error !== null)
    return (
      <p role="alert" className="text-danger">
        The machines that miss it could not be loaded. {error.message}{' '}
        <Button small onClick={() => void refetch()}>
          Reload
        </Button>
      </p>
    );
  if (data === undefined || data.machines === 0) return null;
  const { objList, totalCount, misses } = data;
  return (
    <section className="grid grid-cols-1 gap-3 min-w-0" aria-labelledby={titleId}>
      <Heading id={titleId} className="text-body font-600">
        Machines that miss it
      </Heading>
      <p>
        <MissingMachines counts={data} named={misses} />
      </p>
      <PlanMissedRecord counts={data} named={misses} />
      {totalCount > 0 && (
        <div className={styles['scroller']}>
          <table className={`${styles['table']} w-full border-collapse text-dense`}>
            <ColumnHeads of={['Machine', 'Client', 'Release', 'State', 'Last seen']} />
            <tbody>
              {objList.map((machine) => (
                <MachineRow key={machine.id} machine={machine} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {totalCount > objList.length && size < maxSize && (
        <p>
          <Button small look="quiet" onClick={() => setSize(maxSize)}>
            Show {totalCount > maxSize ? 'the first 1,000' : 'all'} of {formatNumber(totalCount)}
          </Button>
        </p>
      )}
    </section>
  );
}

const stateLabels = {
  missing: 'Missing',
  uncertain: 'Uncertain',
  needsSubscription: 'Needs a subscription',
} as const;

function MachineRow({ machine }: { readonly machine: MachineOfRecord }) {
  const { id, name, machineKey, client, release, state, accepted, lastSeen } = machine;
  return (
    <tr>
      <td>
        <Link to={recordPath(machineList, id)}>{name ?? machineKey ?? id}</Link>
      </td>
      <td>{client}</td>
      <td>{release}</td>
      <td>{accepted ? 'Accepted' : stateLabels[state]}</td>
      <td>
        <TimeAgo value={lastSeen} />
      </td>
    </tr>
  );
}
