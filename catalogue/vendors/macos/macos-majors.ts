/** Apple's counting of its systems: which release a version belongs to, and the marketing names that stand for one. */

/** '10.15.7' is of 10.15, '14.2.1' of 14; 10.16 is what Big Sur calls itself to old software. */
export function macosMajor(version: string): string | null {
  const found = /^(\d+)(?:\.(\d+))?/.exec(version.trim());
  if (found === null) return null;
  const [, first = '', second] = found;
  if (first !== '10') return first;
  if (second === undefined) return null;
  return second === '16' ? '11' : `10.${second}`;
}

/** As the identifier of an installer writes them: com.apple.pkg.InstallAssistant.macOSBigSur. */
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

/** Of 'High Sierra' or 'HighSierra'; null for a name that is not known. */
export function majorOfName(name: string): string | null {
  const written = name.replaceAll(' ', '');
  return (Object.hasOwn(majorsByName, written) ? majorsByName[written] : undefined) ?? null;
}

/** What Apple calls the system: 'High Sierra'; null for a major version whose name is not known. */
export function nameOfMajor(major: string): string | null {
  const name = Object.keys(majorsByName).find((one) => majorsByName[one] === major);
  return name === undefined ? null : spaced(name);
}

const spaced = (name: string) => name.replaceAll(/([a-z])([A-Z])/g, '$1 $2');

export interface NamedSystem {
  /** 'macOS Big Sur' */
  readonly title: string;
  readonly major: string | null;
}

/** Of an installer's identifier; null when it names no system. */
export function namedSystem(identifier: string): NamedSystem | null {
  const name = /\.InstallAssistant\.macOS([A-Za-z]+)$/.exec(identifier)?.[1];
  if (name === undefined) return null;
  return { title: `macOS ${spaced(name)}`, major: majorOfName(name) };
}

/** Oldest first: '10.9' before '10.15' before '11'. */
export function compareMajors(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
