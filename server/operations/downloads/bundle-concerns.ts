/**
 * Finds what an administrator must accept before a bundle is applied: it is older than an applied one, or withdraws much of a
 * list.
 */
import { type SourceKey, sourceLabels } from '@patch/catalogue/sources.ts';
import type { BundleConcern } from '@patch/contract/bundle-endpoints.ts';
import { standardShrinkageShare } from '@patch/contract/source-settings-endpoints.ts';
import { maxMissingEntries } from '../../ingest/sync/risk-part.ts';
import { readAllSourceSettings } from '../../ingest/sync/source-setting-store.ts';
import { minSuspiciousRows } from '../../ingest/sync/withdraw-missing.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { readNewestApplied } from './bundle-applied-store.ts';
import type { Loss } from './compare-bundle.ts';
import type { ReadableBundle } from './read-bundle.ts';

export async function findConcerns(
  database: Queryable,
  { manifest, signedBy }: Pick<ReadableBundle, 'manifest' | 'signedBy'>,
  losses: readonly Loss[],
): Promise<BundleConcern[]> {
  const concerns: BundleConcern[] = [];
  const applied = await readNewestApplied(database, signedBy.publicKey, manifest.sources);
  const newer = applied.filter(({ madeAt }) => madeAt > manifest.madeAt);
  const [newest] = newer.toSorted((a, b) => b.madeAt - a.madeAt);
  if (newest !== undefined) {
    const labels = newer
      .map(({ source }) => sourceLabels[source as SourceKey] ?? source)
      .join(', ');
    concerns.push({
      kind: 'older',
      words:
        `It was made at ${iso(manifest.madeAt)}. A bundle that the same installation made at ${iso(newest.madeAt)} was applied before ` +
        `(${labels}). Applying this one now restores an older state.`,
    });
  }
  const settings = await readAllSourceSettings(database);
  for (const loss of losses) {
    const { source, label, part, known, withdrawn } = loss;
    const share =
      (source === null ? undefined : settings.get(source)?.shrinkageShare) ??
      standardShrinkageShare;
    if (!isSuspicious(loss, share)) continue;
    concerns.push({
      kind: 'withdrawals',
      words: `It withdraws ${withdrawn.toLocaleString('en')} of the ${known.toLocaleString('en')} records of ${label}${part === null ? '' : ` that are listed from ${part}`}.`,
    });
  }
  return concerns;
}

/** Uses the limits of a sync, in which entries of CISA's catalogue disappear one at a time. */
function isSuspicious({ source, known, withdrawn }: Loss, share: number): boolean {
  if (source === 'kev') return withdrawn > maxMissingEntries;
  return known >= minSuspiciousRows && withdrawn * 100 > known * share;
}

const iso = (time: number) => new Date(time).toISOString();
