/** The sentences of an answer about a machine. */
import { distributionName } from '@patch/catalogue/machines/inventory/distribution-names.ts';
import type { Assessment } from '@patch/contract/assessment-endpoint.ts';
import { countedMissing } from '@patch/contract/missing-counts.ts';
import { formatNumber } from '../../widgets/format-number.ts';

const records = (count: number) => `${formatNumber(count)} ${count === 1 ? 'record' : 'records'}`;

/** Never says that nothing is missing where something could not be judged. */
export function headline({ missing, notJudged, machine }: Assessment): string {
  const certain = missing.filter(({ state }) => state === 'missing').length;
  if (certain > 0) return `${records(certain)} missing`;
  if (notJudged.some(({ reason }) => reason === 'machineUnknown'))
    return 'The machine is not recognised';
  if (notJudged.some(({ reason }) => reason === 'releaseNotInCatalogue')) return 'Not judged';
  if (missing.length > 0) return 'Nothing is missing for certain';
  return machine.endOfLife === null
    ? 'Nothing is missing of what this repository knows'
    : 'No longer supported by its vendor';
}

export function machineName({
  distribution,
  release,
  build,
  packages,
  kbs,
  applications,
}: Assessment['machine']): string {
  const counts = [
    packages > 0 ? `${formatNumber(packages)} packages` : null,
    kbs > 0 ? `${formatNumber(kbs)} installed KBs` : null,
    applications > 0 ? `${formatNumber(applications)} applications` : null,
  ].filter((words) => words !== null);
  const system = distribution === null ? 'Unknown machine' : distributionName(distribution);
  const name = [system, release, build].filter((word) => word !== null).join(' ');
  return [name, ...counts].join(' · ');
}

/** '2 known exploited, 1 critical, 3 important, 4 uncertain' */
export function countWords(counts: Assessment['counts']): string {
  return countedMissing(counts)
    .map(([count, word]) => `${formatNumber(count)} ${word}`)
    .join(', ');
}

const notJudgedWords: Readonly<Record<string, (count: number) => string>> = {
  machineUnknown: () =>
    'The text does not say which system the machine runs, so nothing was judged.',
  releaseNotInCatalogue: (count) =>
    `This repository has no records of the machine’s release: ${formatNumber(count)} of its items were not judged.`,
  retracted: (count) => `${records(count)} left out: the vendor took them back.`,
  livepatch: (count) => `${records(count)} left out: live patches are not compared by version.`,
  hotpatch: (count) => `${records(count)} left out: hotpatches are for enrolled machines.`,
  componentNotShown: (count) =>
    `${records(count)} left out: the inventory does not show whether the component is installed.`,
  versionsNotComparable: (count) => `${records(count)} left out: the versions cannot be compared.`,
};

export const notJudgedText = ({ reason, count }: { reason: string; count: number }): string =>
  notJudgedWords[reason]?.(count) ?? `${records(count)} left out: ${reason}.`;

/** Microsoft's word for it stands under a heading of its own elsewhere. */
export const restartText = (restart: string): string =>
  restart === 'Required' ? 'Restart required' : restart;

const reasonWords: Readonly<Record<string, string>> = {
  recordWithoutStream: 'The record does not say for which module stream it is.',
  inventoryWithoutModules: 'The inventory has no module labels.',
  updateWithoutBuild: 'No document says which build the update brings.',
  unknownInstalledKb: 'A newer KB that this repository does not know is installed.',
};

export const reasonText = (reason: string): string => reasonWords[reason] ?? reason;
