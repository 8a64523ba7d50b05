/** The sentences of an answer about a machine. */
import { distributionName } from '@patch/catalogue/machines/inventory/distribution-names.ts';
import type { Assessment } from '@patch/contract/assessment-endpoint.ts';
import { countedMissing } from '@patch/contract/missing-counts.ts';
import { formatNumber } from '../../widgets/format-number.ts';

export function machineName({ distribution, release, build }: Assessment['machine']): string {
  const system = distribution === null ? 'Unknown machine' : distributionName(distribution);
  return [system, release, build].filter((word) => word !== null).join(' ');
}

/** '2 known exploited, 1 critical, 3 important, 4 uncertain' */
export function countWords(counts: Assessment['counts']): string {
  return countedMissing(counts)
    .map(([count, word]) => `${formatNumber(count)} ${word}`)
    .join(', ');
}

/** Microsoft's word for it stands under a heading of its own elsewhere. */
export const restartText = (restart: string): string =>
  restart === 'Required' ? 'Restart required' : restart;

const reasonWords: Readonly<Record<string, string>> = {
  recordWithoutStream: 'The record does not say for which module stream it is.',
  inventoryWithoutModules: 'The inventory has no module labels.',
  updateWithoutBuild: 'No document says which build the update brings.',
  unknownInstalledKb: 'A newer KB that this repository does not know is installed.',
  sourceUnstated: 'The inventory names no source packages.',
  architectureUnstated: 'The inventory does not name the architecture of the package.',
  revisionUnstated: 'The inventory names neither the revision of the build nor installed updates.',
  unlistedHotfixes: 'The inventory announces more hotfixes than it lists.',
  partNotShown:
    'It is for machines that use Secure Boot or another part that the inventory does not show.',
  versionBound: 'The inventory knows a bound of the version only.',
};

export const reasonText = (reason: string): string => reasonWords[reason] ?? reason;
