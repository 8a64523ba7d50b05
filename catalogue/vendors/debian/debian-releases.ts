/** Debian's releases by code name, and what they are called. */
import { distroInfoDay, distroInfoRows } from '../../schemas/distro-info.ts';

export const releasesAddress = 'https://debian.pages.debian.net/distro-info-data/debian.csv';

/** As distro-info-data has them, for when it cannot be had. */
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

/** Versions by code name; a release that has no version (sid) is not in it. */
export type DebianVersions = ReadonlyMap<string, string>;

export const fallbackVersions: DebianVersions = new Map(Object.entries(knownVersions));

/** Never get a version. */
const withoutVersion: readonly string[] = ['sid', 'experimental'];

/** Whether the code name is one of Debian's, with a version or never to have one. */
export function isKnownRelease(codename: string, versions: DebianVersions): boolean {
  return versions.has(codename) || withoutVersion.includes(codename);
}

/** The first release whose security updates lie in a suite of its own form of name: bullseye-security. */
const firstWithSecuritySuite = 11;

/** Code names of the releases that have such a suite by then. Null for the vendor's table: those known to this version. */
export function releasesWithSecuritySuite(csv: string | null, now: number): string[] {
  if (csv === null) return ['bullseye', 'bookworm', 'trixie'];
  return distroInfoRows(csv).flatMap(({ version = '', series = '', release }) => {
    const released = distroInfoDay(release) ?? Number.POSITIVE_INFINITY;
    return Number.parseInt(version, 10) >= firstWithSecuritySuite &&
      /^[a-z]+$/.test(series) &&
      released <= now
      ? [series]
      : [];
  });
}

/** The document's own and, for what it lacks, the known ones. */
export function readVersions(csv: string): DebianVersions {
  const listed = distroInfoRows(csv)
    .map(({ series = '', version = '' }): [string, string] => [series, version])
    .filter(([name, number]) => name !== '' && number !== '');
  return new Map([...fallbackVersions, ...listed]);
}

/** 'Debian 11'; 'Debian sid' where there is no number. */
export function debianReleaseName(codename: string, versions: DebianVersions): string {
  return `Debian ${versions.get(codename) ?? codename}`;
}
