/** Judges whether a machine of Debian, Ubuntu or Pardus misses a record. */
import { compareDpkgVersions } from '../../schemas/dpkg-version.ts';
import type { InstalledPackage } from '../machine.ts';
import { channelOf, channelOfFix } from './build-channels.ts';
import { highestFixes } from './highest-fixes.ts';
import type { InstalledPackages } from './installed-packages.ts';
import { anyKernelStem, kernelMetapackage, kernelStem } from './kernel-stem.ts';
import type {
  FixEvidence,
  PackageFix,
  PackageRecord,
  PackageToInstall,
  RecordVerdict,
} from './machine-fixes.ts';
import { isOfOtherRepository } from './other-repositories.ts';

export function judgeDebRecord(record: PackageRecord, installed: InstalledPackages): RecordVerdict {
  if (record.retracted) return { kind: 'notJudged', reason: 'retracted' };
  if (record.livepatch) return { kind: 'notJudged', reason: 'livepatch' };
  const open: FixEvidence[] = [];
  const subscribed: FixEvidence[] = [];
  for (const fix of record.fixes.filter(isForEveryone)) {
    for (const { found, version } of candidates(fix, installed)) {
      if (channelOf(found) !== channelOfFix(fix, 'deb')) continue;
      if (compareDpkgVersions(version, fix.version) >= 0) continue;
      const evidence: FixEvidence = {
        name: found.name,
        architecture: found.architecture,
        installed: version,
        fixed: fix.version,
        ...(fix.by === 'source' && { source: { installed: version, fixed: fix.version } }),
        install: toInstall(fix, found, installed),
      };
      (needsSubscription(fix) && !showsSubscription(found, fix) ? subscribed : open).push(evidence);
    }
  }
  if (open.length > 0) return { kind: 'missing', evidence: onceEach(open) };
  if (subscribed.length === 0) return { kind: 'notMissing' };
  return {
    kind: 'needsSubscription',
    evidence: onceEach(subscribed),
  };
}

/** A record may list a package and its source. The binary's version can be installed by name, so that one is shown. */
function onceEach(evidence: readonly FixEvidence[]): readonly FixEvidence[] {
  const getPackageKey = ({ name, architecture }: FixEvidence) => `${name} ${architecture ?? ''}`;
  const own = new Set(evidence.filter(hasOwnVersion).map(getPackageKey));
  const sources = new Map(
    evidence.flatMap((one) =>
      one.source === undefined ? [] : [[getPackageKey(one), one.source] as const],
    ),
  );
  const shown = evidence
    .filter((one) => hasOwnVersion(one) || !own.has(getPackageKey(one)))
    .map((one) => {
      const source = sources.get(getPackageKey(one));
      return source === undefined ? one : { ...one, source };
    });
  return highestFixes(shown, compareDpkgVersions);
}

const hasOwnVersion = (one: FixEvidence) => one.install !== null && one.install.version !== null;

/**
 * Backports are optional, proposed updates are tests, and live patches are numbered differently. A source version of 0 means that
 * no version is affected.
 */
export const isForEveryone = ({ pocket, version }: PackageFix) =>
  version !== '' &&
  version !== '0' &&
  pocket !== 'backports' &&
  pocket !== 'proposed' &&
  pocket !== 'livepatch';

/** Old notices state no pocket; their versions reveal it. */
export function needsSubscription({
  pocket,
  version,
}: Pick<PackageFix, 'pocket' | 'version'>): boolean {
  if (pocket !== null && /^(?:esm|fips|ros-esm|realtime)/.test(pocket)) return true;
  return isExtended.test(version);
}

const isExtended = /[+~.]esm\d/;

/**
 * An installed build of Extended Security Maintenance, or a certified one, came with the subscription. It shows the pocket of its own
 * package alone, because a machine may have esm-infra without esm-apps, and no version states its pocket.
 */
const showsSubscription = (found: InstalledPackage, { pocket }: PackageFix): boolean =>
  channelOf(found) === 'fips' ||
  (isExtended.test(found.version) && (pocket === null || pocket.includes('esm')));

interface Candidate {
  readonly found: InstalledPackage;
  /** The version to compare with the fix: the source package's when the fix is for a source. */
  readonly version: string;
}

/** A new kernel has a new name. Null for its parts that come with its image or its headers, and where no name is known. */
function toInstall(
  fix: PackageFix,
  found: InstalledPackage,
  installed: InstalledPackages,
): PackageToInstall | null {
  if (fix.by === 'binary') return { name: fix.name, version: fix.version };
  if (kernelStem(found.name) === null) return { name: found.name, version: null };
  const name = kernelMetapackage(found, fix.name, installed.metapackages);
  return name === null ? null : { name, version: null };
}

/** Does not distinguish architectures, because all are built from one source at one version. */
function candidates(fix: PackageFix, installed: InstalledPackages): readonly Candidate[] {
  return newestOfStem(
    findPackages(fix, installed).filter(
      ({ found }) => found.cut === undefined && !isOfOtherRepository(found),
    ),
  );
}

function findPackages(fix: PackageFix, installed: InstalledPackages): readonly Candidate[] {
  if (fix.by === 'source' && installed.sourcesKnown)
    return installed
      .findBySource(fix.name)
      .map((built) => ({ found: built.installed, version: built.sourceVersion }));
  const stem = fix.by === 'source' ? null : kernelStem(fix.name);
  const found = stem === null ? installed.findByName(fix.name) : installed.findByKernelStem(stem);
  return found.map((one) => ({ found: one, version: one.version }));
}

/** Older kernels stay installed beside the newest, which alone is judged. */
function newestOfStem(all: readonly Candidate[]): readonly Candidate[] {
  const newest = new Map<string, Candidate>();
  for (const one of all) {
    const { name, architecture } = one.found;
    const key = `${anyKernelStem(name) ?? name} ${architecture ?? ''}`;
    const known = newest.get(key);
    if (known === undefined || compareDpkgVersions(known.version, one.version) < 0)
      newest.set(key, one);
  }
  return [...newest.values()];
}
