/** Judges whether an installed application is older than the newest release in the catalogue. */
import { compareVersions, parseVersionNumbers } from '../../vendors/thirdparty/version-numbers.ts';
import type { InstalledApplication } from '../machine.ts';
import type { ApplicationRelease, RecordVerdict } from './machine-fixes.ts';

/** Looks up installed applications by all their names. */
export class InstalledApplications {
  readonly #byKey = new Map<string, InstalledApplication>();

  constructor(applications: readonly InstalledApplication[]) {
    for (const one of applications)
      for (const key of applicationKeys(one)) if (!this.#byKey.has(key)) this.#byKey.set(key, one);
  }

  /** Finds by product code, then by winget's identifier, then by the name without version and architecture. */
  find(release: ApplicationRelease): InstalledApplication | null {
    for (const key of releaseKeys(release)) {
      const found = this.#byKey.get(key);
      if (found !== undefined) return found;
    }
    return null;
  }
}

export const releaseKeys = ({ name, identifier, productCodes }: ApplicationRelease): string[] => [
  ...productCodes.map((code) => codeKey(code)),
  ...(identifier === null ? [] : [codeKey(identifier)]),
  nameKey(name),
];

/** winget lists programs that it did not install by their product code: `ARP\\\\Machine\\\\X64\\\\{…}`. */
export function applicationKeys({ name, identifier }: InstalledApplication): string[] {
  const last = identifier?.split('\\').at(-1);
  return [...(last === undefined ? [] : [codeKey(last)]), nameKey(name)];
}

const codeKey = (code: string) => `code ${code.toLowerCase()}`;

/** Removes version and architecture: `7-Zip 23.01 (x64)` becomes `7-zip`. */
export function plainApplicationName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/\((?:x64|x86|64-bit|32-bit|arm64)[^()]{0,30}\)/g, ' ')
    .replaceAll(/\b(?:version )?v?\d+(?:\.\d+)+\b/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const nameKey = (name: string) => `name ${plainApplicationName(name)}`;

export function judgeApplication(
  release: ApplicationRelease,
  installed: InstalledApplications,
): RecordVerdict {
  const found = installed.find(release);
  if (found === null) return { kind: 'notMissing' };
  if (release.version === null || found.version === null)
    return { kind: 'notJudged', reason: 'versionsNotComparable' };
  const [, bound, version = found.version] = /^([<>]) ?(.+)$/.exec(found.version) ?? [];
  const [have, offered] = [parseVersionNumbers(version), parseVersionNumbers(release.version)];
  if (have.main.length === 0 || offered.main.length === 0)
    return { kind: 'notJudged', reason: 'versionsNotComparable' };
  const order = compareVersions(version, release.version);
  const evidence = [
    {
      name: found.name,
      architecture: null,
      installed: found.version,
      fixed: release.version,
      install: null,
    },
  ];
  // `< 154.0` is older than 154.0 and `> 153.0` newer than 153.0, by an unknown distance.
  const isUncertain = (bound === '<' && order > 0) || (bound === '>' && order < 0);
  if (isUncertain) return { kind: 'uncertain', reason: 'versionBound', evidence };
  return order < 0 || bound === '<' ? { kind: 'missing', evidence } : { kind: 'notMissing' };
}
