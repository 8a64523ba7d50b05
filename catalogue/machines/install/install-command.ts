/** Writes the command with which the machine's package manager installs missing records. */
import type { PackageToInstall } from '../judgement/machine-fixes.ts';
import type { Machine } from '../machine.ts';

interface InstallCommand {
  readonly shell: 'sh' | 'powershell';
  readonly text: string;
}

/** A record to install: the vendor's name for it, and its packages that the machine misses. */
interface RecordToInstall {
  readonly identifier: string;
  readonly packages: readonly PackageToInstall[];
}

type Distribution = Pick<Machine, 'distribution' | 'release'>;

/** Returns null for a distribution without a known package manager, and when a name has an invalid form. */
export function packageCommand(
  records: readonly RecordToInstall[],
  machine: Distribution,
): InstallCommand | null {
  const names = records.flatMap((record) => commandArguments(record, machine));
  const words = [...new Set(names)].map(posixWord);
  const manager = packageManager(machine);
  if (manager === null || words.length === 0) return null;
  const safe = words.filter((word) => word !== null);
  if (safe.length < words.length) return null;
  const option = installsAdvisories(machine) ? '--advisory=' : '';
  return {
    shell: 'sh',
    text: `${prefixes[manager]} ${safe.map((word) => `${option}${word}`).join(' ')}`,
  };
}

const getMajor = ({ release }: Distribution) => Number.parseInt(release ?? '', 10);

/** Distributions whose repositories carry advisories, which dnf and yum accept by name. */
const withAdvisories: readonly string[] = ['almalinux', 'amzn', 'ol', 'rocky'];

const installsAdvisories = ({ distribution }: Distribution) =>
  withAdvisories.includes(distribution ?? '');

const prefixes = {
  apt: 'apt-get install',
  dnf: 'dnf upgrade',
  yum: 'yum update',
  zypper: 'zypper install --type patch',
} as const;
export type PackageManager = keyof typeof prefixes;

/** Returns null for a distribution without a known package manager. */
export function packageManager(machine: Distribution): PackageManager | null {
  const { distribution } = machine;
  if (distribution === 'opensuse-leap') return 'zypper';
  if (['debian', 'pardus', 'ubuntu'].includes(distribution ?? '')) return 'apt';
  if (!installsAdvisories(machine) && distribution !== 'centos') return null;
  return getMajor(machine) <= 7 ? 'yum' : 'dnf';
}

/** Returns whether a command lists packages, because the package manager does not know advisories by name. */
export const installsPackages = (machine: Distribution): boolean =>
  !installsAdvisories(machine) && machine.distribution !== 'opensuse-leap';

/** Lists packages for CentOS, whose repositories carry no advisories. */
function commandArguments(
  { identifier, packages }: RecordToInstall,
  machine: Distribution,
): readonly string[] {
  if (!installsPackages(machine)) return [identifier];
  const separator = machine.distribution === 'centos' ? '-' : '=';
  return [
    ...new Set(
      packages.map(({ name, version }) =>
        version === null ? name : `${name}${separator}${version}`,
      ),
    ),
  ];
}

/** Returns the command for an application that winget knows. */
export function wingetCommand(identifier: string, version: string): InstallCommand | null {
  const [id, wanted] = [powershellWord(identifier), powershellWord(version)];
  if (id === null || wanted === null) return null;
  return { shell: 'powershell', text: `winget upgrade --id ${id} --exact --version ${wanted}` };
}

/**
 * Downloads the installer of a complete release, because softwareupdate identifies single updates by labels that no vendor
 * publishes.
 */
export function macCommand(version: string): InstallCommand | null {
  const word = /^\d{1,3}(?:\.\d{1,3}){0,3}$/.test(version) ? posixWord(version) : null;
  if (word === null) return null;
  return {
    shell: 'sh',
    text: `softwareupdate --fetch-full-installer --full-installer-version ${word}`,
  };
}

/**
 * Words are for commands that a root shell will run: each must match this form, and is quoted nevertheless.
 * Matches names and versions of packages, and names of advisories, of every vendor. Excludes every character that is special to a
 * shell or a package manager.
 */
const wordForm = /^[A-Za-z0-9][A-Za-z0-9._+~^:=-]{0,199}$/;

/** Quotes a word for a POSIX shell; returns null for an invalid name, which is shown but never run. */
export function posixWord(text: string): string | null {
  if (!wordForm.test(text)) return null;
  return /^[A-Za-z0-9._+:=-]+$/.test(text) ? text : `'${text}'`;
}

/** Quotes a word for PowerShell, where single quotes would have to be doubled; valid names contain none. */
export function powershellWord(text: string): string | null {
  return wordForm.test(text) ? `'${text}'` : null;
}
