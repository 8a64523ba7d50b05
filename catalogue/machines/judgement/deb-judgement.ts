/** Whether a machine of Debian, Ubuntu or Pardus misses a record. */
import { compareDpkgVersions } from '../../schemas/dpkg-version.ts';
import type { InstalledPackage } from '../machine.ts';
import { highestFixes } from './highest-fixes.ts';
import type { InstalledPackages } from './installed-packages.ts';
import { kernelStem } from './kernel-stem.ts';
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
      if (isForCertified(fix) && !/fips/i.test(found.version)) continue;
      if (compareDpkgVersions(version, fix.version) >= 0) continue;
      const evidence: FixEvidence = {
        name: found.name,
        architecture: found.architecture,
        installed: version,
        fixed: fix.version,
        ...(fix.by === 'source' && { source: { installed: version, fixed: fix.version } }),
        install: toInstall(fix, found.name),
      };
      (needsSubscription(fix) ? subscribed : open).push(evidence);
    }
  }
  if (open.length > 0) return { kind: 'missing', evidence: onceEach(open) };
  if (subscribed.length === 0) return { kind: 'notMissing' };
  return {
    kind: 'needsSubscription',
    evidence: onceEach(subscribed),
  };
}

/** A record may name a package and its source: the binary's own version can be installed by name, so it is the one that is shown. */
function onceEach(evidence: readonly FixEvidence[]): readonly FixEvidence[] {
  const packageOf = ({ name, architecture }: FixEvidence) => `${name} ${architecture ?? ''}`;
  const own = new Set(evidence.filter(hasOwnVersion).map(packageOf));
  const sources = new Map(
    evidence.flatMap((one) =>
      one.source === undefined ? [] : [[packageOf(one), one.source] as const],
    ),
  );
  const shown = evidence
    .filter((one) => hasOwnVersion(one) || !own.has(packageOf(one)))
    .map((one) => {
      const source = sources.get(packageOf(one));
      return source === undefined ? one : { ...one, source };
    });
  return highestFixes(shown, compareDpkgVersions);
}

const hasOwnVersion = (one: FixEvidence) => one.install !== null && one.install.version !== null;

/** Backports are optional, proposed updates are tests, live patches are numbered otherwise. A source version of 0 says that none is affected. */
export const isForEveryone = ({ pocket, version }: PackageFix) =>
  version !== '' &&
  version !== '0' &&
  pocket !== 'backports' &&
  pocket !== 'proposed' &&
  pocket !== 'livepatch';

const isForCertified = ({ pocket }: PackageFix) => pocket?.startsWith('fips') === true;

/** Old notices name no pocket; their versions tell. */
function needsSubscription({ pocket, version }: PackageFix): boolean {
  if (pocket !== null && /^(?:esm|fips|ros-esm|realtime)/.test(pocket)) return true;
  return /[+~.]esm\d/.test(version);
}

interface Candidate {
  readonly found: InstalledPackage;
  /** That is compared with the fix: of the source package where the fix is for one. */
  readonly version: string;
}

/** A new kernel of Debian has a new name, which the package without a version in its name depends on: linux-image-amd64. */
function toInstall(fix: PackageFix, installed: string): PackageToInstall {
  if (fix.by === 'binary') return { name: fix.name, version: fix.version };
  const name = kernelStem(installed)?.replace(/-\d[\d.]*-#/, '') ?? installed;
  return { name, version: null };
}

/** Architectures are built from one source at one version, so they are not told apart. */
function candidates(fix: PackageFix, installed: InstalledPackages): readonly Candidate[] {
  return newestOfStem(
    named(fix, installed).filter(
      ({ found }) => found.cut === undefined && !isOfOtherRepository(found),
    ),
  );
}

function named(fix: PackageFix, installed: InstalledPackages): readonly Candidate[] {
  if (fix.by === 'source' && installed.sourcesKnown)
    return installed
      .builtFrom(fix.name)
      .map((built) => ({ found: built.installed, version: built.sourceVersion }));
  const stem = fix.by === 'source' ? null : kernelStem(fix.name);
  const found = stem === null ? installed.named(fix.name) : installed.ofKernelStem(stem);
  return found.map((one) => ({ found: one, version: one.version }));
}

/** Older kernels stay installed beside the newest, which is the one that is judged. */
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

/** One source builds one line of kernels, so that within it the version may differ too. */
function anyKernelStem(name: string): string | null {
  return kernelStem(name)?.replace(/-\d[\d.]*-#/, '-#') ?? null;
}
