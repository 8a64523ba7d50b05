/** Names of releases with security content: a system, Safari, or a security update of an older system. */

export interface ReleaseName {
  readonly kind: 'macOS' | 'Safari' | 'Security Update';
  /** '26.2', '17.1', '2021-004' */
  readonly version: string;
  /** '(a)' of a background security improvement. */
  readonly extra: string | null;
  /** Whether it is an update after the release of that number: 'macOS Mojave 10.14.6 Supplemental Update'. */
  readonly supplemental: boolean;
  /** Major version of the system that it is for; a security update can be for several. */
  readonly major: string | null;
}

const system =
  /\b(?:macOS|Mac OS X|OS X)(?! Server)((?: (?!Server\b)[A-Z][A-Za-z]+)*) v?(\d+(?:\.\d+)*)(?: ?(\([a-z]\)))?( Supplemental)?/g;
const safari = /\bSafari (\d+(?:\.\d+)*)/g;
const securityUpdate =
  /\b(?:Security Update|SecUpd)[ -]?(\d{4}-\d{3})(?:[ -]*\(?([A-Z][a-z]+(?: ?[A-Z][a-z]+)?))?/g;

/** Returns all names in a title or link: 'macOS Mojave 10.14.4, Security Update 2019-002 High Sierra, Security Update 2019-002 Sierra'. */
export function findReleaseNames(text: string): ReleaseName[] {
  const plain = { extra: null, supplemental: false };
  return [
    ...[...text.matchAll(system)].map(
      ([, , version = '', extra = null, supplemental]): ReleaseName => ({
        kind: 'macOS',
        version,
        extra,
        supplemental: supplemental !== undefined,
        major: parseMacosMajor(version),
      }),
    ),
    ...[...text.matchAll(safari)].map(
      ([, version = '']): ReleaseName => ({ ...plain, kind: 'Safari', version, major: null }),
    ),
    ...[...text.matchAll(securityUpdate)].map(
      ([, version = '', name]): ReleaseName => ({
        ...plain,
        kind: 'Security Update',
        version,
        major: name === undefined ? null : findMajor(name),
      }),
    ),
  ];
}

/** Returns the same key for every spelling of a release (26 is 26.0), without the system, which not every name states. */
export function toReleaseKey({ kind, version, extra, supplemental }: ReleaseName): string {
  const numbers = kind === 'Security Update' ? version : removeTrailingZeros(version);
  return [
    kind,
    numbers,
    ...(extra === null ? [] : [extra]),
    ...(supplemental ? ['supplemental'] : []),
  ].join(' ');
}

/** Returns 26 for 26.0. */
export function removeTrailingZeros(version: string): string {
  return version.replace(/(?:\.0)+$/, '');
}

/** Returns 10.15 for '10.15.7' and 14 for '14.2.1'; 10.16 is the version of Big Sur for old software. */
export function parseMacosMajor(version: string): string | null {
  const found = /^(\d+)(?:\.(\d+))?/.exec(version.trim());
  if (found === null) return null;
  const [, first = '', second] = found;
  if (first !== '10') return first;
  if (second === undefined) return null;
  return second === '16' ? '11' : `10.${second}`;
}

/** Names as written in identifiers of installers: com.apple.pkg.InstallAssistant.macOSBigSur. */
const majorsByName: Readonly<Record<string, string>> = {
  Yosemite: '10.10',
  ElCapitan: '10.11',
  Sierra: '10.12',
  HighSierra: '10.13',
  Mojave: '10.14',
  Catalina: '10.15',
  BigSur: '11',
  Monterey: '12',
  Ventura: '13',
  Sonoma: '14',
  Sequoia: '15',
  Tahoe: '26',
};

/** Returns the major version of 'High Sierra' or 'HighSierra'; null for an unknown name. */
function findMajor(name: string): string | null {
  const written = name.replaceAll(' ', '');
  return (Object.hasOwn(majorsByName, written) ? majorsByName[written] : undefined) ?? null;
}

/** Returns the marketing name: 'High Sierra'; null for an unknown major version. */
export function findSystemName(major: string): string | null {
  const name = Object.keys(majorsByName).find((key) => majorsByName[key] === major);
  return name === undefined ? null : splitWords(name);
}

const splitWords = (name: string) => name.replaceAll(/([a-z])([A-Z])/g, '$1 $2');

interface InstallerSystem {
  /** 'macOS Big Sur' */
  readonly title: string;
  readonly major: string | null;
}

/** Returns the system in an installer's identifier; null when it names none. */
export function parseInstallerSystem(identifier: string): InstallerSystem | null {
  const name = /\.InstallAssistant\.macOS([A-Za-z]+)$/.exec(identifier)?.[1];
  if (name === undefined) return null;
  return { title: `macOS ${splitWords(name)}`, major: findMajor(name) };
}

/** Compares major versions, oldest first: '10.9' before '10.15' before '11'. */
export function compareMajors(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
