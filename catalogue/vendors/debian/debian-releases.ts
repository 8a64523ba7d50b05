/** Debian's releases by code name, and what they are called. */
import { BrokenDocument } from '../../formats/document-of.ts';

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

/** The document's own and, for what it lacks, the known ones. Throws BrokenDocument on what is no such table. */
export function readVersions(csv: string, url: string): DebianVersions {
  const [head = '', ...lines] = csv.split(/\r?\n/);
  const columns = head.split(',').map((name) => name.trim());
  const [version, series] = [columns.indexOf('version'), columns.indexOf('series')];
  if (version === -1 || series === -1) throw new BrokenDocument(url, 'it has no columns "version" and "series"');
  const listed = lines
    .map((line) => line.split(','))
    .map((cells): [string, string] => [cells[series]?.trim() ?? '', cells[version]?.trim() ?? ''])
    .filter(([name, number]) => name !== '' && number !== '');
  return new Map([...fallbackVersions, ...listed]);
}

/** 'Debian 11'; 'Debian sid' where there is no number. */
export function debianReleaseName(codename: string, versions: DebianVersions): string {
  return `Debian ${versions.get(codename) ?? codename}`;
}
