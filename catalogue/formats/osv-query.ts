/** Reads a query of osv.dev: which package of which release at which version. See https://google.github.io/osv.dev/post-v1-query/ */
import { debPackage } from '../machines/inventory/dpkg-lines.ts';
import { packageOfUrl, packageUrl } from '../machines/inventory/package-url.ts';
import type { CataloguedRelease } from '../machines/judgement/catalogued-release.ts';
import { needsSubscription } from '../machines/judgement/deb-judgement.ts';
import { canBeMissing } from '../machines/judgement/indexed-fixes.ts';
import { InstalledPackages } from '../machines/judgement/installed-packages.ts';
import { judgePackages } from '../machines/judgement/judge-packages.ts';
import { kernelStem } from '../machines/judgement/kernel-stem.ts';
import type { PackageFix, PackageRecord } from '../machines/judgement/machine-fixes.ts';
import type { InstalledPackage } from '../machines/machine.ts';
import { type EcosystemTarget, findUrlTarget, parseEcosystem } from './osv-ecosystem.ts';
import { osvEcosystems } from './osv-lists.ts';

/** A query as it is sent. */
export interface OsvQuery {
  readonly commit?: string | undefined;
  readonly version?: string | undefined;
  readonly package?:
    | {
        readonly name?: string | undefined;
        readonly ecosystem?: string | undefined;
        readonly purl?: string | undefined;
      }
    | undefined;
}

/** A package to look up. */
export interface OsvTarget extends EcosystemTarget {
  readonly installed: InstalledPackage;
  /**
   * How the query states the source package that Debian's and Ubuntu's advisories name: by `upstream`, by a name that is the source's
   * (osv.dev's names, and those of rpm), or not at all: the name may be that of a binary package.
   */
  readonly statedSource: 'upstream' | 'name' | 'none';
  /** True for a query without a version, which asks for all advisories of a package. */
  readonly isAnyVersion: boolean;
}

type ReadTarget = Omit<OsvTarget, 'isAnyVersion'>;

/** Sorts before every version of rpm and dpkg. */
const beforeAllVersions = '~';

/** The schema writes the version before all others as 0. */
const toCompared = (version: string): string =>
  version === '' || version === '0' ? beforeAllVersions : version;

/** No distribution has longer names or versions. Each is compared with thousands of fixes. */
const maxLength = 255;

/** Returns the package, or a sentence that says what is wrong with the query. */
export function readOsvQuery(query: OsvQuery): OsvTarget | string {
  const target = readTarget(query);
  if (typeof target === 'string') return target;
  const { name, version, source } = target.installed;
  const texts = { name, version, 'source name': source?.name, 'source version': source?.version };
  const tooLong = Object.entries(texts).find(([, text]) => (text?.length ?? 0) > maxLength);
  if (tooLong !== undefined)
    return `The ${tooLong[0]} of a package must have at most ${maxLength} characters.`;
  const isAnyVersion = version === beforeAllVersions && (source?.version ?? null) === null;
  return { ...target, isAnyVersion };
}

function readTarget(query: OsvQuery): ReadTarget | string {
  if (query.commit !== undefined)
    return 'This catalogue has no commits of source code. Send a package with an ecosystem, or a purl.';
  const { name = '', ecosystem = '', purl = '' } = query.package ?? {};
  if (purl !== '') {
    if (name !== '' || ecosystem !== '')
      return 'Send either a purl, or a name with an ecosystem, never both.';
    return targetOfPurl(purl, query.version ?? '');
  }
  if (name === '' || ecosystem === '')
    return 'package.name and package.ecosystem are required, or package.purl.';
  if (/\s/.test(name)) return 'package.name must be the name of a package, without spaces.';
  const target = parseEcosystem(ecosystem);
  if (target === null)
    return `Invalid ecosystem '${cut(ecosystem)}'. This catalogue has: ${osvEcosystems.join(', ')}, each also with a release, such as AlmaLinux:9, Ubuntu:22.04:LTS or openSUSE:Leap 15.6.`;
  const installed = installedPackage(target, name, toCompared(query.version ?? ''));
  return { ...target, installed, statedSource: 'name' };
}

const cut = (text: string) => text.slice(0, 100);

/** `version` is empty without one. */
function targetOfPurl(purl: string, version: string): ReadTarget | string {
  const isVersioned = /^[^?#]*[^/]@/.test(purl);
  if (isVersioned && version !== '') return 'Send a version, or a purl with a version, never both.';
  const written = packageUrl(
    isVersioned
      ? purl
      : purl.replace(/(?=[?#]|$)/, `@${encodeURIComponent(version || beforeAllVersions)}`),
  );
  if (written === null) return `Invalid purl '${cut(purl)}'.`;
  const url = { ...written, version: toCompared(written.version) };
  const target = findUrlTarget(url.namespace, url.qualifiers.get('distro') ?? '');
  if (target === null)
    return `This catalogue has no packages for '${cut(purl)}'. It has rpm of almalinux, rocky-linux and opensuse, and deb of debian and ubuntu; the qualifier distro names a release: distro=almalinux-9.`;
  const read = packageOfUrl(url);
  if (read === null || (read.format === 'deb') !== isDeb(target))
    return `Invalid purl '${cut(purl)}'.`;
  if (read.format === 'deb') {
    if (read.source !== null) return { ...target, installed: read, statedSource: 'upstream' };
    if (read.architecture !== null && sourceArchitectures.includes(read.architecture)) {
      const installed = installedPackage(target, url.name, read.version);
      return { ...target, installed, statedSource: 'name' };
    }
    return { ...target, installed: read, statedSource: 'none' };
  }
  return { ...target, installed: read, statedSource: 'name' };
}

/** The architectures of package URLs that name a source package. */
const sourceArchitectures: readonly string[] = ['source', 'src', 'dsc'];

/** Takes the name for that of the source package, as tools that state only other sources mean it. */
export const withOwnSource = (target: OsvTarget): OsvTarget => ({
  ...target,
  installed: { ...target.installed, source: { name: target.installed.name, version: null } },
  statedSource: 'name',
});

const isDeb = ({ distribution }: EcosystemTarget) =>
  distribution === 'debian' || distribution === 'ubuntu';

/** Null where the version states none: it then counts as that of the fix, as in an inventory without epochs. */
const parseEpoch = (version: string): Pick<InstalledPackage, 'epoch'> => ({
  epoch: /^(\d+):/.exec(version)?.[1] ?? null,
});

function installedPackage(
  target: EcosystemTarget,
  name: string,
  version: string,
): InstalledPackage {
  if (isDeb(target)) return debPackage(name, version, null, { name, version: null }, true);
  return {
    format: 'rpm',
    name,
    version: version.replace(/^\d+:/, ''),
    ...parseEpoch(version),
    architecture: null,
    module: { kind: 'unstated' },
    source: null,
    stateKnown: true,
  };
}

/** Records of a release by the names that they fix, so that many queries of the release are answered from one reading. */
export class ReleaseRecords {
  readonly #release: CataloguedRelease;
  readonly #byName = new Map<string, Set<PackageRecord>>();

  constructor(release: CataloguedRelease, records: Iterable<PackageRecord>) {
    this.#release = release;
    for (const record of records)
      for (const { name } of record.fixes)
        for (const known of [name, kernelStem(name) ?? name]) this.#add(known, record);
  }

  #add(name: string, record: PackageRecord): void {
    const records = this.#byName.get(name);
    if (records === undefined) this.#byName.set(name, new Set([record]));
    else records.add(record);
  }

  /**
   * Returns the keys of records that affect the package, in no order: without a version, all that have a fix of it for the asker. Where
   * a record cannot be decided for want of an architecture or a module stream, which OSV does not ask for, the package counts as affected.
   */
  affecting({ installed, isSubscribed, isAnyVersion }: OsvTarget): readonly string[] {
    const packages = new InstalledPackages([installed]);
    const names = new Set(packages.fixNames);
    const records = new Set([...names].flatMap((name) => [...(this.#byName.get(name) ?? [])]));
    if (isAnyVersion) {
      const { family } = this.#release;
      const isForAsker = (fix: PackageFix) =>
        (names.has(fix.name) || names.has(kernelStem(fix.name) ?? '')) &&
        canBeMissing(fix, family) &&
        (isSubscribed || !needsSubscription(fix));
      // The index of fixes has no versions of live patches.
      return [...records]
        .filter(
          ({ retracted, livepatch, fixes }) => !retracted && (livepatch || fixes.some(isForAsker)),
        )
        .map(({ key }) => key);
    }
    const machine = { packages: [installed], kernel: null };
    return [...judgePackages(machine, this.#release, records, packages)]
      .filter(
        ([, { kind }]) =>
          kind === 'missing' ||
          kind === 'uncertain' ||
          (kind === 'needsSubscription' && isSubscribed),
      )
      .map(([key]) => key);
  }
}
