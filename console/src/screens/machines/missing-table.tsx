/** The records that a machine lacks, most urgent first: installed and fixed versions, and the replacement. */
import type { MissingRecord } from '@patch/contract/assessment-endpoint.ts';
import { useState } from 'react';
import { EvidenceCell, RecordCell, SeverityCell } from '../../fleet/missing-cells.tsx';
import { describeState } from '../../fleet/missing-words.ts';
import { percentText } from '../../values/share-text.ts';
import { Button } from '../../widgets/button.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import styles from './check-machine-screen.module.css';

/** Rows shown at first, of possibly several thousand. */
const initialRows = 25;

export function MissingTable({ missing }: { readonly missing: readonly MissingRecord[] }) {
  const [shown, setShown] = useState(initialRows);
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
        <Button onClick={() => setShown((before) => before * 4)}>
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
      <RecordCell record={record} state={describeState(record)} />
      <SeverityCell record={record} />
      <td data-label="CVSS">{cvss?.toFixed(1)}</td>
      <td data-label="EPSS">{epss === null ? null : percentText(epss)}</td>
      <EvidenceCell record={record} />
      <td className={styles['state']}>{describeState(record)}</td>
    </tr>
  );
}
