/** Words about a missing record: why it is not certain, what closes it, and the restart. */
import type { MissingRecord } from '@patch/contract/assessment-endpoint.ts';

/** Microsoft's restart values are shown below a heading elsewhere, so they need a sentence here. */
export const describeRestart = (restart: string): string =>
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
