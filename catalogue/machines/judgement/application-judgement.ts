/** Judges whether an installed application is older than the newest release in the catalogue. */
import { compareVersions, parseVersionNumbers } from '../../vendors/thirdparty/version-numbers.ts';
import type { InstalledApplication } from '../machine.ts';
import type { ApplicationRelease, RecordVerdict } from './machine-fixes.ts';

/** Looks up installed applications by all their names. */
export class InstalledApplications {
  readonly #byKey = new Map<string, InstalledApplication[]>();

  constructor(applications: readonly InstalledApplication[]) {
    for (const one of applications)
      for (const key of applicationKeys(one)) {
        const known = this.#byKey.get(key);
        if (known === undefined) this.#byKey.set(key, [one]);
        else known.push(one);
      }
  }

  /**
   * Finds by product code, by winget's identifier, and by the name without version and architecture. Several versions of an application
   * can be installed at once.
   */
  find(release: ApplicationRelease): readonly InstalledApplication[] {
    return [...new Set(releaseKeys(release).flatMap((key) => this.#byKey.get(key) ?? []))];
  }
}

export const releaseKeys = ({ name, identifier, productCodes }: ApplicationRelease): string[] => [
  ...productCodes.map((code) => codeKey(code)),
  ...(identifier === null ? [] : [codeKey(identifier)]),
  nameKey(name),
];

/** winget lists programs that it did not install by their product code: `ARP\\\\Machine\\\\X64\\\\{…}`. */
export function applicationKeys({ name, identifier, packaging }: InstalledApplication): string[] {
  // Releases of the catalogue are of installers, whose versions and commands a snap does not have.
  if (packaging === 'snap') return [];
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

const byGravity = ['missing', 'uncertain', 'notJudged', 'notMissing'] as const;

/** Returns the gravest verdict on the installed versions. */
export function judgeApplication(
  release: ApplicationRelease,
  installed: InstalledApplications,
): RecordVerdict {
  const verdicts = installed.find(release).map((found) => judgeVersion(release, found));
  const kind = byGravity.find((grave) => verdicts.some((verdict) => verdict.kind === grave));
  return verdicts.find((verdict) => verdict.kind === kind) ?? { kind: 'notMissing' };
}

function judgeVersion(release: ApplicationRelease, found: InstalledApplication): RecordVerdict {
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
