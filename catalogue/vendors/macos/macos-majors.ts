/** Major versions of macOS: which one a version belongs to, and their marketing names. */

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
export function findMajor(name: string): string | null {
  const written = name.replaceAll(' ', '');
  return (Object.hasOwn(majorsByName, written) ? majorsByName[written] : undefined) ?? null;
}

/** Returns the marketing name: 'High Sierra'; null for an unknown major version. */
export function findSystemName(major: string): string | null {
  const name = Object.keys(majorsByName).find((key) => majorsByName[key] === major);
  return name === undefined ? null : splitWords(name);
}

const splitWords = (name: string) => name.replaceAll(/([a-z])([A-Z])/g, '$1 $2');

export interface InstallerSystem {
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
