/** Detects whether a restart is due: the system says so, or a newer kernel is installed than the running one. */
import { compareDpkgVersions } from '../../schemas/dpkg-version.ts';
import { compareRpmVersionsWithoutEpoch } from '../../schemas/rpm-version.ts';
import { isRpmArchitecture } from '../inventory/architectures.ts';
import type { InstalledPackage, Machine } from '../machine.ts';

type RestartFacts = Pick<Machine, 'platform' | 'kernel' | 'packages' | 'restartDue'>;

/** Returns null when nothing shows it. */
export function rebootPending(machine: RestartFacts): boolean | null {
  const { platform, restartDue } = machine;
  const newer = platform === 'windows' || platform === 'macos' ? null : hasNewerKernel(machine);
  return restartDue === true || newer === true ? true : (newer ?? restartDue ?? null);
}

/** Returns null when the running kernel is unknown, or when none of its kind is installed (a container). */
function hasNewerKernel({ kernel, packages }: RestartFacts): boolean | null {
  if (kernel === null) return null;
  const rpm = packages.filter(({ format }) => format === 'rpm');
  return rpm.length > 0 ? rpmPending(kernel, rpm) : debPending(kernel, packages);
}

function rpmPending(kernel: string, packages: readonly InstalledPackage[]): boolean | null {
  const running = runningRpm(kernel);
  const images = packages
    .filter(({ name }) => running.names.includes(name))
    .map(({ version }) => version);
  const newest = images.toSorted(compareRpmVersionsWithoutEpoch).at(-1);
  if (newest === undefined) return null;
  // openSUSE counts rebuilds of the package behind the kernel's version.
  if (newest === running.version || newest.startsWith(`${running.version}.`)) return false;
  return compareRpmVersionsWithoutEpoch(newest, running.version) > 0;
}

/** `5.4.17-2136.330.7.1.el7uek.x86_64`, `5.3.18-150300.59.49-default`, `4.18.0-553.el8_10.x86_64+debug` */
function runningRpm(kernel: string): {
  readonly version: string;
  readonly names: readonly string[];
} {
  const [plain = ''] = kernel.split('+');
  const dot = plain.lastIndexOf('.');
  const version = isRpmArchitecture(plain.slice(dot + 1)) ? plain.slice(0, dot) : plain;
  const flavour = /^(.*-[\d.]+)-([a-z][\w-]*)$/.exec(version);
  if (flavour !== null)
    return { version: flavour[1] ?? version, names: [`kernel-${flavour[2] ?? ''}`] };
  if (version.endsWith('uek')) return { version, names: ['kernel-uek', 'kernel-uek-core'] };
  if (/\.rt\d/.test(version)) return { version, names: ['kernel-rt', 'kernel-rt-core'] };
  return { version, names: ['kernel', 'kernel-core'] };
}

/** Kernel images carry the kernel's name: linux-image-5.10.0-8-amd64. */
function debPending(kernel: string, packages: readonly InstalledPackage[]): boolean | null {
  const getFlavour = (release: string) => /-([a-z][a-z0-9-]*)$/.exec(release)?.[1] ?? '';
  const releases = packages
    .map(({ name }) => /^linux-image-(?:unsigned-)?(\d.*)$/.exec(name)?.[1])
    .filter((release) => release !== undefined)
    .filter((release) => getFlavour(release) === getFlavour(kernel));
  const newest = releases.toSorted(compareDpkgVersions).at(-1);
  return newest === undefined ? null : compareDpkgVersions(newest, kernel) > 0;
}
