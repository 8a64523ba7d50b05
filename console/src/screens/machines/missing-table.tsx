/** The records that a machine lacks, the most urgent first: what is installed, what would fix it, and what to install instead. */
import type { MissingRecord } from '@patch/contract/assessment-endpoint.ts';
import { useState } from 'react';
import { EvidenceCell, RecordCell, SeverityCell } from '../../fleet/missing-cells.tsx';
import { Button } from '../../widgets/button.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import styles from './check-machine-screen.module.css';
import { reasonText } from './machine-words.ts';

/** Of several thousand missing records nobody reads the last. */
const shownAtFirst = 100;

export function MissingTable({ missing }: { readonly missing: readonly MissingRecord[] }) {
  const [shown, setShown] = useState(shownAtFirst);
  return (
    <>
      <div className={styles['scroll']}>
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">Record</th>
              <th scope="col">Severity</th>
              <th scope="col">CVSS</th>
              <th scope="col">EPSS</th>
              <th scope="col">Installed → fixed</th>
              <th scope="col" className={styles['state']}>
                State
              </th>
            </tr>
          </thead>
          <tbody>
            {missing.slice(0, shown).map((record) => (
              <Row key={`${record.list} ${record.recordId}`} record={record} />
            ))}
          </tbody>
        </table>
      </div>
      {missing.length > shown && (
        <Button onClick={() => setShown((before) => before + shownAtFirst)}>
          Show more of {formatNumber(missing.length)}
        </Button>
      )}
    </>
  );
}

function Row({ record }: { readonly record: MissingRecord }) {
  const { cvss, epss } = record;
  return (
    <tr>
      <RecordCell record={record} state={stateText(record)} />
      <SeverityCell record={record} />
      <td>{cvss === null ? '' : cvss.toFixed(1)}</td>
      <td>{epss === null ? '' : `${(epss * 100).toFixed(1)} %`}</td>
      <EvidenceCell record={record} />
      <td className={styles['state']}>{stateText(record)}</td>
    </tr>
  );
}

function stateText({ state, reason, supersededBy }: MissingRecord): string {
  if (state === 'uncertain') return `Uncertain. ${reasonText(reason ?? '')}`;
  if (state === 'needsSubscription') return 'Needs a subscription';
  return supersededBy.length === 0 ? 'Missing' : `Closed by ${supersededBy.join(', ')}`;
}
