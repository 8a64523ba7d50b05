/** What closes the missing records of one urgency: how many updates, their command, and each of them. */
import { getList } from '@patch/catalogue/lists.ts';
import type { Assessment } from '@patch/contract/assessment-endpoint.ts';
import { installText } from '@patch/contract/assessment-words.ts';
import { Link } from '@tanstack/react-router';
import { CopyButton } from '../widgets/copy-button.tsx';
import { formatNumber } from '../widgets/format-number.ts';
import { recordPath } from '../widgets/list-paths.ts';
import styles from './band-install.module.css';
import { CommandToCopy } from './command-to-copy.tsx';
import { describeRestart } from './missing-words.ts';

interface BandInstallProps {
  readonly summary: Assessment['bands'][number];
  readonly install: Assessment['install'];
  readonly isPrimary: boolean;
}

export function BandInstall({ summary, install, isPrimary }: BandInstallProps) {
  const { command, install: names } = summary;
  if (names.length === 0) return null;
  return (
    <>
      <p className={styles['summary']}>{installText([summary], names.length)}.</p>
      {command === null ? (
        <CommandToCopy command={names.join('\n')} what="identifiers" />
      ) : (
        <CommandToCopy command={command} what="command" isPrimary={isPrimary} />
      )}
      <Steps steps={install.filter(({ identifier }) => names.includes(identifier))} />
    </>
  );
}

function Steps({ steps }: { readonly steps: Assessment['install'] }) {
  return (
    <details className={styles['steps']}>
      <summary>
        {formatNumber(steps.length)} {steps.length === 1 ? 'update' : 'updates'} to install
      </summary>
      <ul>
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
