/** One installer of one version, as the detail's table has it, whatever source it is from. */
import { webAddressOf } from '../../values/vendor-words.ts';
import { compareVersions, namesVersion } from './version-numbers.ts';
import { nameInAddresses } from './version-relations.ts';

export interface ReleasePackage {
  readonly version: string;
  /** WINDOWS, MACOS, LINUX; a source's own word that is none of them. */
  readonly platform: string;
  readonly architecture: string | null;
  readonly minimumOsVersion: string | null;
  readonly url: string | null;
  /** SHA-256 in hexadecimal, or another sum with its name before a colon. */
  readonly checksum: string | null;
  /** Whether the checksum is the vendor's own, and not what others computed of the file. */
  readonly vendorChecksum?: boolean;
  /** exe, msi, wix: what kind of installer it is. */
  readonly type: string | null;
  readonly locale: string | null;
  readonly scope: string | null;
  readonly silentSwitches?: string | null;
  readonly progressSwitches?: string | null;
  readonly locationSwitch?: string | null;
  readonly customSwitches?: string | null;
  /** Under which Windows lists the installed program. */
  readonly productCode?: string | null;
  readonly upgradeCode?: string | null;
  /** The version that Windows lists it with, where that is another than the package's. */
  readonly displayVersion?: string | null;
}

const maxPackages = 500;

/**
 * What several sources tell of one file is told once: what the first does not say is taken from the next. An installer that does
 * differently for a user and for the machine is one of each.
 */
export function distinctPackages(packages: readonly ReleasePackage[]): ReleasePackage[] {
  const distinct = new Map<string, Map<string | null, ReleasePackage>>();
  for (const one of packages) {
    const address = webAddressOf(one.url) ?? [one.version, one.type, one.locale].join(' ');
    const key = [one.platform, one.architecture, address].join(' ');
    const scopes = distinct.get(key) ?? new Map<string | null, ReleasePackage>();
    distinct.set(key, scopes);
    const told = one.scope === null && scopes.size > 0 ? [...scopes.keys()] : [one.scope];
    for (const scope of told) scopes.set(scope, merged(scopes.get(scope), one));
  }
  return [...distinct.values()].flatMap((scopes) => [...scopes.values()]);
}

/** At an address that is the same for every version, another version is another file. */
function merged(first: ReleasePackage | undefined, next: ReleasePackage): ReleasePackage {
  if (first === undefined) return next;
  if (
    compareVersions(first.version, next.version) !== 0 &&
    !namesVersion(first.url ?? '', first.version)
  )
    return first;
  const said = Object.fromEntries(
    Object.entries(first).filter(([, value]) => value !== null && value !== undefined),
  );
  const sum =
    next.vendorChecksum === true && first.vendorChecksum !== true
      ? { checksum: next.checksum, vendorChecksum: true }
      : {};
  return { ...next, ...said, ...sum };
}

/** The addresses whose checksum differs from the vendor's own: a file was replaced, or a catalogue is wrong. */
export function contradictedChecksums(packages: readonly ReleasePackage[]): string[] {
  const own = new Map(
    packages.flatMap((one) =>
      one.vendorChecksum === true ? [[one.url, one.checksum] as const] : [],
    ),
  );
  const contradicted = packages.filter(({ url, checksum }) => {
    const sum = own.get(url) ?? null;
    return (
      sum !== null &&
      checksum !== null &&
      algorithmOf(sum) === algorithmOf(checksum) &&
      sum !== checksum
    );
  });
  return [...new Set(contradicted.flatMap(({ url }) => url ?? []))];
}

const algorithmOf = (checksum: string) => /^(\w+):/.exec(checksum)?.[1] ?? 'sha256';

/** `packages` in the order in which they are shown. */
export function releasePackageRows(name: string, packages: readonly ReleasePackage[]) {
  return packages.slice(0, maxPackages).map((one) => rowOf(name, one));
}

function rowOf(name: string, one: ReleasePackage) {
  const {
    version,
    platform,
    architecture,
    minimumOsVersion,
    url,
    checksum,
    vendorChecksum = false,
    type,
    locale,
    scope,
  } = one;
  const address = webAddressOf(url);
  return {
    name: [name, architecture, type, scope, locale]
      .filter((word) => word !== null && word !== '')
      .join(' '),
    version,
    osPlatform: platform,
    osArch: architecture,
    osVersion: minimumOsVersion,
    downloadUrl: address,
    checksum,
    vendorChecksum: checksum === null ? null : vendorChecksum,
    unversionedUrl:
      address === null
        ? null
        : !namesVersion(address, version) && nameInAddresses(version, [address]) === null,
    installerType: type,
    scope,
    silentSwitches: one.silentSwitches ?? null,
    progressSwitches: one.progressSwitches ?? null,
    locationSwitch: one.locationSwitch ?? null,
    customSwitches: one.customSwitches ?? null,
    productCode: one.productCode ?? null,
    upgradeCode: one.upgradeCode ?? null,
    displayVersion: one.displayVersion ?? null,
  };
}

/**
 * An application can have an installer for each of its languages. Those that are for every language count, or those in English; of an
 * architecture, kind and scope that has neither, the first.
 */
export function inOneLanguage<
  Installer extends Pick<ReleasePackage, 'architecture' | 'type' | 'scope' | 'locale'>,
>(installers: readonly Installer[]): Installer[] {
  const alike = new Map<string, Installer[]>();
  for (const installer of installers) {
    const key = [installer.architecture, installer.type, installer.scope].join(' ');
    const others = alike.get(key);
    if (others === undefined) alike.set(key, [installer]);
    else others.push(installer);
  }
  return [...alike.values()].flatMap((group) => {
    const [first] = group.toSorted((a, b) => rankOfLanguage(a.locale) - rankOfLanguage(b.locale));
    return first === undefined ? [] : [first];
  });
}

function rankOfLanguage(locale: string | null): number {
  if (locale === null || /^en-us$/i.test(locale)) return locale === null ? 1 : 0;
  return /^en\b/i.test(locale) ? 2 : 3;
}
