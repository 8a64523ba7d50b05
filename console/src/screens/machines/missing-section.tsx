/** Missing records of one urgency, with the command that installs what closes them. */
import { getList } from '@patch/catalogue/lists.ts';
import type { Assessment, MissingRecord } from '@patch/contract/assessment-endpoint.ts';
import { installText } from '@patch/contract/assessment-words.ts';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { CopyButton } from '../../widgets/copy-button.tsx';
import { formatNumber } from '../../widgets/format-number.ts';
import { recordPath } from '../../widgets/list-paths.ts';
import styles from './check-machine-screen.module.css';
import { CommandToCopy } from './command-to-copy.tsx';
import { describeRestart } from './machine-words.ts';
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
  const { command, install: names } = summary;
  const steps = install.filter(({ identifier }) => names.includes(identifier));
  return (
    <MissingSection {...section}>
      {names.length > 0 && (
        <p className={styles['counts']}>{installText([summary], names.length)}.</p>
      )}
      {command !== null ? (
        <CommandToCopy command={command} what="command" isPrimary={section.isOpen} />
      ) : (
        names.length > 0 && <CommandToCopy command={names.join('\n')} what="identifiers" />
      )}
      {steps.length > 0 && <Steps steps={steps} />}
    </MissingSection>
  );
}

function Steps({ steps }: { readonly steps: Assessment['install'] }) {
  return (
    <details>
      <summary>
        {formatNumber(steps.length)} {steps.length === 1 ? 'update' : 'updates'} to install
      </summary>
      <ul className={styles['install']}>
        {steps.map(({ list, recordId, identifier, command, restart }) => (
          <li key={`${list} ${recordId}`}>
            <Link to={recordPath(getList(list as never), recordId)}>{identifier}</Link>
            {restart !== null && (
              <span className={styles['quiet']}> · {describeRestart(restart)}</span>
            )}
            {command !== null && steps.length > 1 && (
              <CopyButton text={command} what={`command for ${identifier}`} />
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
