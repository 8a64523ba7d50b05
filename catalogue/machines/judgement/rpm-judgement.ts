/** Judges whether a machine of an RPM distribution misses a record. */
import {
  compareRpmVersions,
  compareRpmVersionsWithoutEpoch,
  parseRpmVersion,
} from '../../schemas/rpm-version.ts';
import type { InstalledPackage } from '../machine.ts';
import { channelOf, channelOfFix } from './build-channels.ts';
import { highestFixes } from './highest-fixes.ts';
import type { InstalledPackages } from './installed-packages.ts';
import type {
  FixEvidence,
  PackageFix,
  PackageRecord,
  RecordVerdict,
  UncertainReason,
} from './machine-fixes.ts';
import { isOfOtherRepository } from './other-repositories.ts';

export interface RpmMachine {
  readonly installed: InstalledPackages;
  /** False for CentOS, whose records never state an epoch. */
  readonly epochs: boolean;
  /** The running kernel; null when unknown. */
  readonly kernel: string | null;
  /** The release number: `8`. */
  readonly release: string;
}

export function judgeRpmRecord(record: PackageRecord, machine: RpmMachine): RecordVerdict {
  if (record.retracted) return { kind: 'notJudged', reason: 'retracted' };
  const missing: FixEvidence[] = [];
  const uncertain: { readonly reason: UncertainReason; readonly evidence: FixEvidence }[] = [];
  for (const fix of record.fixes) {
    for (const { installed, doubt } of candidates(fix, machine)) {
      if (compareToFix(installed, fix, machine) >= 0) continue;
      const evidence = toEvidence(installed, fix, machine);
      if (doubt === null) missing.push(evidence);
      else uncertain.push({ reason: doubt, evidence });
    }
  }
  if (missing.length > 0)
    return { kind: 'missing', evidence: highestFixes(missing, compareRpmVersions) };
  // Sorted, because a record's reason must not depend on the order of its packages.
  const [reason] = uncertain.map((one) => one.reason).toSorted();
  if (reason === undefined) return { kind: 'notMissing' };
  const evidence = uncertain.map((one) => one.evidence);
  return {
    kind: 'uncertain',
    reason,
    evidence: highestFixes(evidence, compareRpmVersions),
  };
}

interface Candidate {
  readonly installed: InstalledPackage;
  /** Why the fix may belong to another module stream or architecture; null when it certainly matches. */
  readonly doubt: UncertainReason | null;
}

/**
 * Returns the installed packages that the fix could replace: the newest of each architecture, because older kernels stay
 * installed.
 */
function candidates(fix: PackageFix, machine: RpmMachine): readonly Candidate[] {
  const newest = new Map<string | null, Candidate>();
  for (const installed of machine.installed.findByName(fix.name)) {
    const comparable =
      installed.format === 'rpm' &&
      isSameArchitecture(installed.architecture, fix.architecture) &&
      installed.cut === undefined &&
      !isOfOtherRepository(installed) &&
      channelOf(installed) === channelOfFix(fix, 'rpm') &&
      isOfRelease(fix.version, releaseTag(installed.version), machine.release) &&
      isNewestOrRunningLine(fix, machine);
    const relation = comparable ? moduleRelation(installed, fix) : 'other';
    if (relation === 'other') continue;
    const known = newest.get(installed.architecture);
    if (known !== undefined && compareInstalled(known.installed, installed) >= 0) continue;
    const doubt = relation === 'same' ? architectureDoubt(installed, fix) : relation;
    newest.set(installed.architecture, { installed, doubt });
  }
  return [...newest.values()];
}

/** Vendors sometimes rebuild a package for one architecture only. */
function architectureDoubt(
  { architecture }: InstalledPackage,
  fix: PackageFix,
): UncertainReason | null {
  const differs = fix.architecture !== null && fix.architecture !== 'noarch';
  return architecture === null && differs ? 'architectureUnstated' : null;
}

/** Returns `el8` for `1.9.5p2-1.el8_10.1` and `4.18.0-425.10.1el8_7`; null for a version without a release. */
export function releaseTag(version: string): string | null {
  const [, tag, withoutDot] =
    /(?:[._+-](?:module[_+])?((?:el|fc|amzn)\d{1,4})|\d(el\d{1,2}))(?!\d)/.exec(version) ?? [];
  return tag ?? withoutDot ?? null;
}

/** Repositories sometimes contain builds of sibling releases: a build of el9 is never compared with one of el8. */
function isOfRelease(fixed: string, installed: string | null, release: string): boolean {
  const tag = releaseTag(fixed);
  if (tag === null) return true;
  return installed === null ? tag.replace(/^\D+/, '') === release : tag === installed;
}

/** `noarch` runs anywhere; Oracle writes x86_64 for it. i686 differs from x86_64. Source packages are never installed. */
function isSameArchitecture(installed: string | null, fixed: string | null): boolean {
  if (isSourceArchitecture(fixed)) return false;
  return (
    installed === null ||
    fixed === null ||
    installed === fixed ||
    installed === 'noarch' ||
    fixed === 'noarch'
  );
}

export const isSourceArchitecture = (architecture: string | null): boolean =>
  architecture === 'src' || architecture === 'nosrc';

/** A fix of Oracle's UEK applies to the line of the newest installed kernel, and to that of the running one. */
function isNewestOrRunningLine(
  fix: PackageFix,
  { installed: packages, kernel }: RpmMachine,
): boolean {
  if (!fix.name.startsWith('kernel-uek')) return true;
  const line = parseRpmVersion(fix.version).version;
  const newer = packages
    .findByName(fix.name)
    .some(
      (other) => compareRpmVersionsWithoutEpoch(parseRpmVersion(other.version).version, line) > 0,
    );
  return !newer || kernel?.startsWith(`${line}-`) === true;
}

export const isModular = (version: string): boolean => /[.+_-]module[_+.]/.test(version);

/** The module of fixes whose version shows that they are modular, and whose record does not state the stream. */
export const unstatedModule = '*';

/** Returns the module of a fix of an RPM distribution: Rocky's records state none. Null for a fix of a plain package. */
export const moduleOfFix = ({ module, version }: Pick<PackageFix, 'module' | 'version'>) =>
  module ?? (isModular(version) ? unstatedModule : null);

function moduleRelation(
  { module, version }: InstalledPackage,
  fix: PackageFix,
): 'same' | 'other' | UncertainReason {
  const modular = module.kind === 'stream' || isModular(version);
  const ofFix = moduleOfFix(fix);
  if (modular !== (ofFix !== null)) return 'other';
  if (ofFix === null) return 'same';
  if (ofFix === unstatedModule) return 'recordWithoutStream';
  if (module.kind !== 'stream') return 'inventoryWithoutModules';
  const [name, stream] = ofFix.split(':');
  if (stream === undefined) return 'recordWithoutStream';
  return name === module.name && stream === module.stream ? 'same' : 'other';
}

/** Rocky's cloud group rebuilds the distribution's fixes: the plain build of the same number includes the fix. */
const isCloudBuild = /\.cloud(?:\.\d+)*$/;

/** When the inventory omits epochs, the package is assumed to have the fix's epoch, because epochs rarely change. */
function compareToFix(
  installed: InstalledPackage,
  fix: PackageFix,
  { epochs }: RpmMachine,
): number {
  const fixed = isCloudBuild.test(installed.version)
    ? fix.version
    : fix.version.replace(isCloudBuild, '');
  if (!epochs || installed.epoch === null)
    return compareRpmVersionsWithoutEpoch(installed.version, fixed);
  return compareRpmVersions(`${installed.epoch}:${installed.version}`, fixed);
}

const compareInstalled = (a: InstalledPackage, b: InstalledPackage) =>
  compareRpmVersions(withEpoch(a), withEpoch(b));

const withEpoch = ({ epoch, version }: InstalledPackage) =>
  epoch === null || epoch === '0' ? version : `${epoch}:${version}`;

/** Shows epochs only when they were compared. */
function toEvidence(
  installed: InstalledPackage,
  fix: PackageFix,
  { epochs }: RpmMachine,
): FixEvidence {
  const compared = epochs && installed.epoch !== null;
  return {
    name: installed.name,
    architecture: installed.architecture,
    installed: compared ? withEpoch(installed) : installed.version,
    fixed: compared ? fix.version : fix.version.replace(/^\d+:/, ''),
    install: { name: fix.name, version: fix.version },
  };
}
