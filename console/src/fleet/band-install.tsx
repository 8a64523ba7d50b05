/** What closes the missing records of one urgency: how many updates, their command, and each of them. */
import { getList } from '@patch/catalogue/lists.ts';
import type { Assessment, MissingRecord } from '@patch/contract/fleet/assessment-endpoint.ts';
import { installText } from '@patch/contract/fleet/assessment-words.ts';
import { Link } from '@tanstack/react-router';
import { CopyButton } from '../widgets/copy-button.tsx';
import { formatNumber } from '../widgets/format-number.ts';
import { recordPath } from '../widgets/list-paths.ts';
import styles from './band-install.module.css';
import { CommandToCopy } from './command-to-copy.tsx';

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
      <p className="mb-2">{installText([summary], names.length)}.</p>
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
    <details>
      <summary className="cursor-pointer">
        {formatNumber(steps.length)} {steps.length === 1 ? 'update' : 'updates'} to install
      </summary>
      <ul className={`${styles['steps']} m-0 my-2 pl-4`}>
        {steps.map(({ list, recordId, identifier, command, restart }) => (
          <li key={`${list} ${recordId}`}>
            <Link to={recordPath(getList(list as never), recordId)}>{identifier}</Link>
            {restart !== null && (
              <span className="text-quiet text-dense"> · {describeRestart(restart)}</span>
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

/** Microsoft's restart values are shown below a heading elsewhere, so they need a sentence here. */
const describeRestart = (restart: string): string =>
  restart === 'Required' ? 'Restart required' : restart;

const reasonTexts: Readonly<Record<string, string>> = {
  recordWithoutStream: 'The record does not state its module stream.',
  inventoryWithoutModules: 'The inventory has no module labels.',
  updateWithoutBuild: 'No document states the build of the update.',
  unknownInstalledKb: 'A newer KB that this repository does not know is installed.',
  sourceUnstated: 'The inventory names no source packages.',
  architectureUnstated: 'The inventory does not name the architecture of the package.',
  revisionUnstated: 'The inventory names neither the revision of the build nor installed updates.',
  unlistedHotfixes: 'The inventory announces more hotfixes than it lists.',
  partNotShown:
    'It applies to machines with Secure Boot or another feature that the inventory does not show.',
  versionBound: 'The inventory states only a limit of the version.',
};

const getReasonText = (reason: string): string => reasonTexts[reason] ?? reason;

/** Returns for example 'Closed by RLSA-2025:0065'. */
export function describeState({ state, reason, supersededBy }: MissingRecord): string {
  if (state === 'uncertain') return `Uncertain. ${getReasonText(reason ?? '')}`;
  if (state === 'needsSubscription') return 'Needs a subscription';
  return supersededBy.length === 0 ? 'Missing' : `Closed by ${supersededBy.join(', ')}`;
}
