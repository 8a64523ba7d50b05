/** An installer of a version, from any source, as the detail's table shows it. */
import { toWebAddress } from '../../values/vendor-words.ts';
import { compareVersions, containsVersion } from './version-numbers.ts';
import { findNameInAddresses } from './version-relations.ts';

export interface ReleasePackage {
  readonly version: string;
  /** WINDOWS, MACOS, LINUX, or a source's own word. */
  readonly platform: string;
  readonly architecture: string | null;
  readonly minimumOsVersion: string | null;
  readonly url: string | null;
  /** SHA-256 in hexadecimal, or another checksum after its algorithm and a colon. */
  readonly checksum: string | null;
  /** Whether the vendor published the checksum, as opposed to a catalogue. */
  readonly vendorChecksum?: boolean;
  /** Kind of installer: exe, msi, wix. */
  readonly type: string | null;
  readonly locale: string | null;
  readonly scope: string | null;
  readonly silentSwitches?: string | null;
  readonly progressSwitches?: string | null;
  readonly locationSwitch?: string | null;
  readonly customSwitches?: string | null;
  /** Code that Windows lists the installed program under. */
  readonly productCode?: string | null;
  readonly upgradeCode?: string | null;
  /** Version that Windows lists, when it differs from the package's. */
  readonly displayVersion?: string | null;
}

const maxPackages = 500;

/**
 * Merges the rows of several sources about one file: values that the first lacks are taken from the next. An installer with different
 * behaviour for a user and for the machine has a row for each.
 */
export function mergePackages(packages: readonly ReleasePackage[]): ReleasePackage[] {
  const distinct = new Map<string, Map<string | null, ReleasePackage>>();
  for (const installer of packages) {
    const { version, platform, architecture, type, locale, scope: ownScope } = installer;
    const address = toWebAddress(installer.url) ?? [version, type, locale].join(' ');
    const key = [platform, architecture, address].join(' ');
    const scopes = distinct.get(key) ?? new Map<string | null, ReleasePackage>();
    distinct.set(key, scopes);
    const merging = ownScope === null && scopes.size > 0 ? [...scopes.keys()] : [ownScope];
    for (const scope of merging) scopes.set(scope, mergePackage(scopes.get(scope), installer));
  }
  return [...distinct.values()].flatMap((scopes) => [...scopes.values()]);
}

/** At an address without a version, another version is another file. */
function mergePackage(first: ReleasePackage | undefined, next: ReleasePackage): ReleasePackage {
  if (first === undefined) return next;
  if (
    compareVersions(first.version, next.version) !== 0 &&
    !containsVersion(first.url ?? '', first.version)
  )
    return first;
  const stated = Object.fromEntries(
    Object.entries(first).filter(([, value]) => value !== null && value !== undefined),
  );
  const sum =
    next.vendorChecksum === true && first.vendorChecksum !== true
      ? { checksum: next.checksum, vendorChecksum: true }
      : {};
  return { ...next, ...stated, ...sum };
}

/** Returns addresses whose checksum differs from the vendor's: the file was replaced, or a catalogue is wrong. */
export function findContradictedChecksums(packages: readonly ReleasePackage[]): string[] {
  const own = new Map(
    packages.flatMap(({ url, checksum, vendorChecksum }) =>
      vendorChecksum === true ? [[url, checksum] as const] : [],
    ),
  );
  const contradicted = packages.filter(({ url, checksum }) => {
    const sum = own.get(url) ?? null;
    return (
      sum !== null &&
      checksum !== null &&
      getAlgorithm(sum) === getAlgorithm(checksum) &&
      sum !== checksum
    );
  });
  return [...new Set(contradicted.flatMap(({ url }) => url ?? []))];
}

const getAlgorithm = (checksum: string) => /^(\w+):/.exec(checksum)?.[1] ?? 'sha256';

/** @param packages in display order */
export function toReleasePackageRows(name: string, packages: readonly ReleasePackage[]) {
  return packages.slice(0, maxPackages).map((installer) => toRow(name, installer));
}

function toRow(name: string, installer: ReleasePackage) {
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
  } = installer;
  const address = toWebAddress(url);
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
        : !containsVersion(address, version) && findNameInAddresses(version, [address]) === null,
    installerType: type,
    scope,
    silentSwitches: installer.silentSwitches ?? null,
    progressSwitches: installer.progressSwitches ?? null,
    locationSwitch: installer.locationSwitch ?? null,
    customSwitches: installer.customSwitches ?? null,
    productCode: installer.productCode ?? null,
    upgradeCode: installer.upgradeCode ?? null,
    displayVersion: installer.displayVersion ?? null,
  };
}

/**
 * Picks one language of each architecture, kind and scope: English (US), else an installer for every language, else another English,
 * else the first.
 */
export function chooseOneLanguage<
  Installer extends Pick<ReleasePackage, 'architecture' | 'type' | 'scope' | 'locale'>,
>(installers: readonly Installer[]): Installer[] {
  const alike = Map.groupBy(installers, ({ architecture, type, scope }) =>
    [architecture, type, scope].join(' '),
  );
  return [...alike.values()].flatMap((group) => {
    const [first] = group.toSorted((a, b) => getLanguageRank(a.locale) - getLanguageRank(b.locale));
    return first === undefined ? [] : [first];
  });
}

function getLanguageRank(locale: string | null): number {
  if (locale === null || /^en-us$/i.test(locale)) return locale === null ? 1 : 0;
  return /^en\b/i.test(locale) ? 2 : 3;
}
