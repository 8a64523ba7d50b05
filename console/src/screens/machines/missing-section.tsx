/** Missing records of one urgency, with the command that installs what closes them. */
import type { Assessment, MissingRecord } from '@patch/contract/fleet/assessment-endpoint.ts';
import { type ReactNode, useId, useState } from 'react';
import { BandInstall, describeState } from '../../fleet/band-install.tsx';
import { EvidenceCell, RecordCell, SeverityCell } from '../../fleet/missing-cells.tsx';
import { ColumnHeads } from '../../theme/column-heads.tsx';
import { percentText } from '../../values/share-text.ts';
import { Button } from '../../widgets/button.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import styles from './check-machine-screen.module.css';

interface MissingSectionProps {
  readonly label: string;
  readonly missing: readonly MissingRecord[];
  readonly isOpen: boolean;
  /** Shown between the heading and the records. */
  readonly children?: ReactNode;
}

export function MissingSection({ label, missing, isOpen, children }: MissingSectionProps) {
  const heading = useId();
  return (
    <section
      aria-labelledby={heading}
      className={`${styles['part']} min-w-0 p-4 border rounded bg-surface`}
    >
      <h2 id={heading} className="mb-2 text-lead font-600">
        {label}: {formatNumber(missing.length)}
      </h2>
      {children}
      <details open={isOpen}>
        <summary className="cursor-pointer">
          {formatNumber(missing.length)} {missing.length === 1 ? 'record' : 'records'}
        </summary>
        <MissingTable missing={missing} />
      </details>
    </section>
  );
}

interface MissingBandSectionProps extends Omit<MissingSectionProps, 'children'> {
  readonly summary: Assessment['bands'][number];
  readonly install: Assessment['install'];
}

export function MissingBandSection({ summary, install, ...section }: MissingBandSectionProps) {
  return (
    <MissingSection {...section}>
      <BandInstall summary={summary} install={install} isPrimary={section.isOpen} />
    </MissingSection>
  );
}

/** Rows shown at first, of possibly several thousand. */
const initialRows = 25;

function MissingTable({ missing }: { readonly missing: readonly MissingRecord[] }) {
  const [shown, setShown] = useState(initialRows);
  return (
    <>
      <div className="overflow-x-auto">
        <table className={`${styles['table']} w-full border-collapse text-dense`}>
          <ColumnHeads of={['Record', 'Severity', 'CVSS', 'EPSS', 'Installed → fixed', 'State']} />
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
