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
