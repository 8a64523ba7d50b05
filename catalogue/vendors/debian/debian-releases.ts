/** Debian's releases by code name, with their names. */
import { parseDistroInfo, parseDistroInfoDay } from '../../schemas/distro-info.ts';

export const releasesAddress = 'https://debian.pages.debian.net/distro-info-data/debian.csv';

/** Copy of distro-info-data, used while it is unavailable. */
const knownVersions: Readonly<Record<string, string>> = {
  buzz: '1.1',
  rex: '1.2',
  bo: '1.3',
  hamm: '2.0',
  slink: '2.1',
  potato: '2.2',
  woody: '3.0',
  sarge: '3.1',
  etch: '4.0',
  lenny: '5.0',
  squeeze: '6.0',
  wheezy: '7',
  jessie: '8',
  stretch: '9',
  buster: '10',
  bullseye: '11',
  bookworm: '12',
  trixie: '13',
  forky: '14',
  duke: '15',
};

/** Versions by code name; a release without a version (sid) is missing. */
export type DebianVersions = ReadonlyMap<string, string>;

export const fallbackVersions: DebianVersions = new Map(Object.entries(knownVersions));

/** Releases that never get a version. */
const unversionedReleases: readonly string[] = ['sid', 'experimental'];

/** Tells whether the code name is one of Debian's. */
export function isKnownRelease(codename: string, versions: DebianVersions): boolean {
  return versions.has(codename) || unversionedReleases.includes(codename);
}

/** The first release with a security suite of this form: bullseye-security. */
const firstWithSecuritySuite = 11;

/**
 * Returns the code names of the releases that have such a suite at `now`.
 * @param csv the vendor's table, or null to use the built-in names
 * @param now epoch milliseconds
 */
export function listReleasesWithSecuritySuite(csv: string | null, now: number): string[] {
  if (csv === null) return ['bullseye', 'bookworm', 'trixie'];
  return parseDistroInfo(csv).flatMap(({ version = '', series = '', release }) => {
    const released = parseDistroInfoDay(release) ?? Number.POSITIVE_INFINITY;
    return Number.parseInt(version, 10) >= firstWithSecuritySuite &&
      /^[a-z]+$/.test(series) &&
      released <= now
      ? [series]
      : [];
  });
}

/** Returns the document's versions, completed by the known ones. */
export function readVersions(csv: string): DebianVersions {
  const listed = parseDistroInfo(csv)
    .map(({ series = '', version = '' }): [string, string] => [series, version])
    .filter(([name, number]) => name !== '' && number !== '');
  return new Map([...fallbackVersions, ...listed]);
}

/** Returns 'Debian 11', or 'Debian sid' for a release without a version. */
export function formatDebianReleaseName(codename: string, versions: DebianVersions): string {
  return `Debian ${versions.get(codename) ?? codename}`;
}
