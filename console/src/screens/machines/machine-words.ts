/** Texts about the result of a machine check. */
import { distributionName } from '@patch/catalogue/machines/inventory/distribution-names.ts';
import type { Assessment } from '@patch/contract/assessment-endpoint.ts';
import { countedMissing } from '@patch/contract/missing-counts.ts';
import { formatNumber } from '../../widgets/format-number.ts';

export function getMachineName({ distribution, release, build }: Assessment['machine']): string {
  const system = distribution === null ? 'Unknown machine' : distributionName(distribution);
  return [system, release, build].filter((word) => word !== null).join(' ');
}

/** Returns for example '2 known exploited, 1 critical, 3 important, 4 uncertain'. */
export function describeCounts(counts: Assessment['counts']): string {
  return countedMissing(counts)
    .map(([count, word]) => `${formatNumber(count)} ${word}`)
    .join(', ');
}

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

export const getReasonText = (reason: string): string => reasonTexts[reason] ?? reason;
