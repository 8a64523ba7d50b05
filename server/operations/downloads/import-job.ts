/** Job for an uploaded bundle: checks and compares it first, and applies it after an administrator's approval. */
import { stat } from 'node:fs/promises';
import { type SourceKey, sourceLabels } from '@patch/catalogue/sources.ts';
import {
  AcceptedConcerns,
  type BundleConcern,
  type BundleReport,
} from '@patch/contract/operations/bundle-endpoints.ts';
import { standardShrinkageShare } from '@patch/contract/sources/source-settings-endpoints.ts';
import { readAllSourceSettings } from '../../ingest/sources/source-setting-store.ts';
import { maxMissingEntries } from '../../ingest/writing/risk-part.ts';
import { minSuspiciousRows } from '../../ingest/writing/withdraw-missing.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { toFingerprint } from '../../platform/secrets/service-signer.ts';
import { applyBundle } from './apply-bundle.ts';
import { type AppliedBundle, readNewestApplied, readTrustedKeys } from './bundle-key-store.ts';
import { type BundleManifest, BundleRefused, bundleSigner } from './bundle-manifest.ts';
import { compareBundle, type Loss } from './compare-bundle.ts';
import { formatCount, type JobWork } from './job-context.ts';
import { openBundle, type ReadableBundle } from './read-bundle.ts';

export const importJob: JobWork = async (context) => {
  const { database, options, path, askedBy, secretKey, progress, signal, clock } = context;
  const apply = options['step'] === 'apply';
  const { size: bytes } = await stat(path);
  progress.bytes(bytes);
  const own = { name: 'this installation', publicKey: bundleSigner(secretKey).publicKey };
  const bundle = await openBundle(path, [own, ...(await readTrustedKeys(database))]);
  try {
    const { manifest, signedBy } = bundle;
    progress.total([...manifest.lists, ...manifest.risk].reduce((sum, { rows }) => sum + rows, 0));
    const doing = apply ? 'Writing' : 'Comparing';
    const onRows = (list: { readonly label: string }, rows: number) => {
      progress.enter(`${doing} ${list.label}`);
      progress.rows(rows);
    };
    const comparing = { database, bundle, onRows, signal };
    refuseFuture(manifest.madeAt, clock());
    // Compared again before it is applied: another bundle or a sync may have changed the database since.
    const compared = await compareBundle(comparing);
    const concerns = await findConcerns(database, bundle, compared.losses);
    const accepted = AcceptedConcerns.parse(options['accept'] ?? []);
    const unaccepted = apply ? concerns.filter(({ kind }) => !accepted.includes(kind)) : [];
    if (unaccepted.length > 0)
      throw new BundleRefused(
        `Nothing was changed: ${unaccepted.map(({ words }) => words).join(' ')} Upload the bundle again to see its current effect.`,
      );
    const lists = apply ? await applyBundle({ ...comparing, by: askedBy, clock }) : compared.lists;
    const report: BundleReport = {
      madeAt: manifest.madeAt,
      signedBy: signedBy.name,
      fingerprint: toFingerprint(signedBy.publicKey),
      families: manifest.sources.map((source) => sourceLabels[source as SourceKey] ?? source),
      since: manifest.since,
      lists,
      concerns,
      appliedAt: apply ? clock() : null,
    };
    return { message: describeChanges(lists, apply), bytes, report };
  } finally {
    bundle.close();
  }
};

/** The other installation's clock may be a little ahead; a bundle from the future would make all later ones look old. */
const clockTolerance = 24 * 3_600_000;

function refuseFuture(madeAt: number, now: number): void {
  if (madeAt > now + clockTolerance)
    throw new BundleRefused(
      `The bundle was made at ${new Date(madeAt).toISOString()}, which is in the future. Correct the clocks of both machines.`,
    );
}

function describeChanges(lists: BundleReport['lists'], applied: boolean): string {
  const sum = (name: 'added' | 'changed' | 'withdrawn') =>
    lists.reduce((total, list) => total + list[name], 0);
  const [added, changed, withdrawn] = [sum('added'), sum('changed'), sum('withdrawn')];
  if (added + changed + withdrawn === 0)
    return applied
      ? 'Nothing was changed: all records were known.'
      : 'It would change nothing: all records are known.';
  const words = `${formatCount(added, 'record')} added, ${formatCount(changed, 'record')} changed, ${formatCount(withdrawn, 'record')} withdrawn.`;
  return applied ? words : `Nothing is changed yet. Applying it means: ${words}`;
}

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
    const labels = namesOf(newer.map(({ source }) => source));
    concerns.push({
      kind: 'older',
      words:
        `It was made at ${iso(manifest.madeAt)}. A bundle that the same installation made at ${iso(newest.madeAt)} was applied before ` +
        `(${labels}). Applying this one now restores an older state.`,
    });
  }
  const gap = findGap(manifest, applied);
  if (gap !== null) concerns.push(gap);
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

const namesOf = (sources: readonly string[]): string =>
  sources.map((source) => sourceLabels[source as SourceKey] ?? source).join(', ');

/** Returns null when a bundle with the state at the start of the changes was applied for each source. */
function findGap(
  { since, sources, follows = 0 }: BundleManifest,
  applied: readonly AppliedBundle[],
): BundleConcern | null {
  if (since === null) return null;
  const reached = new Map(applied.map(({ source, madeAt }) => [source, madeAt]));
  const behind = sources.filter((source) => (reached.get(source) ?? 0) < follows);
  if (behind.length === 0) return null;
  return {
    kind: 'gap',
    words:
      `It has the changes since ${iso(since)} alone, and no bundle with the state before them was applied here (${namesOf(behind)}). ` +
      'What changed before is missing: apply the bundles before it first, or a full one.',
  };
}

/** Uses the limits of a sync, in which entries of CISA's catalogue disappear one at a time. */
function isSuspicious({ source, known, withdrawn }: Loss, share: number): boolean {
  if (source === 'kev') return withdrawn > maxMissingEntries;
  return known >= minSuspiciousRows && withdrawn * 100 > known * share;
}

const iso = (time: number) => new Date(time).toISOString();
