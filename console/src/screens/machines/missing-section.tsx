/** Missing records of one urgency, with the command that installs what closes them. */
import type { Assessment, MissingRecord } from '@patch/contract/assessment-endpoint.ts';
import { type ReactNode, useId } from 'react';
import { BandInstall } from '../../fleet/band-install.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import styles from './check-machine-screen.module.css';
import { MissingTable } from './missing-table.tsx';

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
    <section aria-labelledby={heading} className={styles['part']}>
      <h2 id={heading}>
        {label}: {formatNumber(missing.length)}
      </h2>
      {children}
      <details open={isOpen}>
        <summary>
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
