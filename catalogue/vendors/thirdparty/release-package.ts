/** One installer of one version, as the detail's table has it, whatever source it is from. */
import { webAddressOf } from '../../shapes/vendor-words.ts';
import { compareVersions, namesVersion } from './version-numbers.ts';

export interface ReleasePackage {
  readonly version: string;
  readonly platform: 'WINDOWS' | 'MACOS' | 'LINUX';
  readonly architecture: string | null;
  readonly minimumOsVersion: string | null;
  readonly url: string | null;
  /** SHA-256 in hexadecimal, or another sum with its name before a colon. */
  readonly checksum: string | null;
  /** exe, msi, wix: what kind of installer it is. */
  readonly type: string | null;
  readonly locale: string | null;
  readonly scope: string | null;
}

const mostPackages = 500;

/** What several sources tell of one file is told once: the first counts. Newest version first. */
export function releasePackageRows(name: string, packages: readonly ReleasePackage[]) {
  const distinct = new Map<string, ReleasePackage>();
  for (const one of packages) {
    const key = [one.platform, one.architecture, webAddressOf(one.url) ?? [one.version, one.type, one.locale, one.scope].join(' ')].join(
      ' ',
    );
    if (!distinct.has(key)) distinct.set(key, one);
  }
  return [...distinct.values()]
    .toSorted((one, other) => compareVersions(other.version, one.version))
    .slice(0, mostPackages)
    .map((one) => rowOf(name, one));
}

function rowOf(name: string, { version, platform, architecture, minimumOsVersion, url, checksum, type, locale, scope }: ReleasePackage) {
  const address = webAddressOf(url);
  return {
    name: [name, architecture, type, scope, locale].filter((word) => word !== null && word !== '').join(' '),
    version,
    osPlatform: platform,
    osArch: architecture,
    osVersion: minimumOsVersion,
    downloadUrl: address,
    checksum,
    unversionedUrl: address === null ? null : !namesVersion(address, version),
  };
}

/**
 * An application can have an installer for each of its languages. Those that are for every language count, or those in English; of an
 * architecture, kind and scope that has neither, the first.
 */
export function inOneLanguage<Installer extends Pick<ReleasePackage, 'architecture' | 'type' | 'scope' | 'locale'>>(
  installers: readonly Installer[],
): Installer[] {
  const alike = new Map<string, Installer[]>();
  for (const installer of installers) {
    const key = [installer.architecture, installer.type, installer.scope].join(' ');
    const others = alike.get(key);
    if (others === undefined) alike.set(key, [installer]);
    else others.push(installer);
  }
  return [...alike.values()].flatMap((group) => {
    const [first] = group.toSorted((one, other) => rankOfLanguage(one.locale) - rankOfLanguage(other.locale));
    return first === undefined ? [] : [first];
  });
}

function rankOfLanguage(locale: string | null): number {
  if (locale === null || /^en-us$/i.test(locale)) return locale === null ? 1 : 0;
  return /^en\b/i.test(locale) ? 2 : 3;
}
