/** Derives the verdict on each installed package from the verdicts on the machine's records. */
import type { InstalledPackage } from '../machine.ts';
import { channelOf, mayLackChannel } from './build-channels.ts';
import { getSource, type InstalledPackages } from './installed-packages.ts';
import { anyKernelStem, kernelStem } from './kernel-stem.ts';
import type { KnownPackage, KnownVariant } from './known-packages.ts';
import type { RecordVerdict } from './machine-fixes.ts';
import { isOfOtherRepository } from './other-repositories.ts';
import { isModular, releaseTag, unstatedModule } from './rpm-judgement.ts';
import { graver, type JudgedItem, notJudged, type Verdict } from './verdict.ts';

export interface PackagesToJudge {
  readonly packages: readonly InstalledPackage[];
  readonly installed: InstalledPackages;
  /** As lists write it: `AlmaLinux 8`. */
  readonly release: string;
  readonly records: Iterable<RecordVerdict>;
  readonly known: ReadonlyMap<string, KnownPackage>;
  /** Names of source packages with vulnerabilities that have no published fix. */
  readonly unfixed: ReadonlySet<string>;
}

/** Returns items in the order of the packages. */
export function packageVerdicts(input: PackagesToJudge): readonly JudgedItem[] {
  const found = foundVerdicts(input.records);
  return input.packages.map((one) => ({
    name: one.name,
    verdict: found.get(getGroup(one)) ?? withoutRecord(one, input),
  }));
}

/** Maps verdicts to the packages in their evidence. */
function foundVerdicts(records: Iterable<RecordVerdict>): ReadonlyMap<string, Verdict> {
  const found = new Map<string, Verdict>();
  for (const record of records) {
    if (record.kind === 'notMissing' || record.kind === 'notJudged') continue;
    const verdict: Verdict =
      record.kind === 'uncertain'
        ? { kind: 'uncertain', reason: record.reason }
        : { kind: 'missing' };
    for (const evidence of record.evidence) {
      const key = getGroup(evidence);
      const known = found.get(key);
      found.set(key, known === undefined ? verdict : graver(known, verdict));
    }
  }
  return found;
}

/** Groups the kernels of one line, of which the newest is judged for all. */
function getGroup({ name, architecture }: Pick<InstalledPackage, 'name' | 'architecture'>): string {
  return `${anyKernelStem(name) ?? name} ${architecture ?? ''}`;
}

function withoutRecord(one: InstalledPackage, input: PackagesToJudge): Verdict {
  if (one.cut === true) return notJudged('cutColumns');
  if (isOfOtherRepository(one)) return notJudged('otherRepository');
  return one.format === 'deb' ? debVerdict(one, input) : rpmVerdict(one, input);
}

function debVerdict(
  one: InstalledPackage,
  { installed, known, unfixed, release }: PackagesToJudge,
): Verdict {
  const { sourcesKnown } = installed;
  const source = sourcesKnown ? getSource(one).name : one.name;
  if (unfixed.has(source)) return { kind: 'noFix' };
  const found = [one.name, kernelStem(one.name) ?? one.name, source].flatMap(
    (name) => known.get(name) ?? [],
  );
  if (found.length === 0) return sourcesKnown ? { kind: 'noAdvisory' } : notJudged('sourceUnknown');
  if (variantsOfChannel(one, found)?.length === 0) return notJudged('channelUnknown');
  // Other records may list the source alone.
  return sourcesKnown || found.some(({ isSource }) => isSource)
    ? { kind: 'fixed', comparedWith: release }
    : { kind: 'uncertain', reason: 'sourceUnstated' };
}

function rpmVerdict(one: InstalledPackage, { known, release }: PackagesToJudge): Verdict {
  const written = releaseTag(one.version);
  const tag = written?.replace(/^\D+/, '');
  if (tag !== undefined && tag !== release.split(' ').at(-1)) return notJudged('otherRelease');
  const own = known.get(one.name);
  if (own === undefined)
    return written === null && isTagged.test(release)
      ? notJudged('originUnknown')
      : { kind: 'noAdvisory' };
  const ofChannel = variantsOfChannel(one, [own]);
  if (ofChannel?.length === 0) return notJudged('channelUnknown');
  if (
    one.architecture === null &&
    own.modules.some(({ architecture }) => isOfOneArchitecture(architecture))
  )
    return { kind: 'uncertain', reason: 'architectureUnstated' };
  if (!hasArchitecture(own.modules, one)) return notJudged('architectureUnknown');
  const ofModule = variantsOfModule(own, one);
  if (!Array.isArray(ofModule)) return ofModule;
  return hasArchitecture(ofModule, one) && hasArchitecture(ofChannel ?? ofModule, one)
    ? { kind: 'fixed', comparedWith: release }
    : notJudged('architectureUnknown');
}

/** Distributions whose builds state the release in their version: `el8`, `amzn2`. */
const isTagged = /^(?:AlmaLinux|Amazon Linux|CentOS|Oracle Linux|Rocky Linux) /;

/** Returns null for a package that no channel shares with another. Records may list the package for other channels only. */
function variantsOfChannel(
  one: InstalledPackage,
  known: readonly KnownPackage[],
): readonly KnownVariant[] | null {
  if (!mayLackChannel(one)) return null;
  const channel = channelOf(one);
  return known.flatMap(({ channels }) => channels.filter((variant) => variant.of === channel));
}

const isOfOneArchitecture = (architecture: string) =>
  architecture !== '' && architecture !== 'noarch';

const hasArchitecture = (
  variants: readonly KnownVariant[],
  { architecture }: InstalledPackage,
): boolean =>
  architecture === null ||
  architecture === 'noarch' ||
  variants.some((known) => ['', 'noarch', architecture].includes(known.architecture));

/** Returns the variants of the same module stream, of an unstated one, or without a module when the package has none. */
function variantsOfModule(
  { modules }: KnownPackage,
  { module, version }: InstalledPackage,
): KnownVariant[] | Verdict {
  const isOfModule = module.kind === 'stream' || isModular(version);
  const stream = module.kind === 'stream' ? `${module.name}:${module.stream}` : null;
  const hasStreams = modules.some(({ of: name }) => name !== '' && name !== unstatedModule);
  if (isOfModule && stream === null && hasStreams)
    return { kind: 'uncertain', reason: 'inventoryWithoutModules' };
  const comparable = isOfModule ? [stream, unstatedModule] : [''];
  const found = modules.filter(({ of: name }) => comparable.includes(name));
  return found.length > 0 ? found : notJudged('moduleUnknown');
}
