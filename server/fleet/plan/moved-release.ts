/** Finds out whether a machine left the release for which a task was planned: what it missed there says nothing about it any more. */
import {
  cataloguedRelease,
  machineOfRelease,
} from '@patch/catalogue/machines/judgement/catalogued-release.ts';
import { macName, majorMac } from '@patch/catalogue/machines/judgement/macos-judgement.ts';
import {
  productKey,
  productOfComponent,
  productOfMachine,
} from '@patch/catalogue/machines/judgement/windows-products.ts';

/** What the list of machines has of the system of a machine. */
export interface ReportedSystem {
  readonly platform: string | null;
  /** AlmaLinux 8.9, Microsoft Windows Server 2022 Standard, macOS 14.7.1. */
  readonly release: string | null;
  readonly build: string | null;
  readonly architecture: string | null;
}

/** Systems of tasks that no single release has: applications, and Macs of which the version was not known. */
const ofAllReleases = ['Applications', macName];

export type FindMovedTo = typeof findMovedTo;

/** Returns `findMovedTo`, which remembers its answers: thousands of machines have few systems. */
export function rememberMovedTo(): FindMovedTo {
  const known = new Map<string, string | null>();
  return (system, machine) => {
    const { platform, release, build, architecture } = machine;
    const key = [system, platform, release, build, architecture].join('\n');
    const found = known.get(key);
    if (found !== undefined) return found;
    const answer = findMovedTo(system, machine);
    known.set(key, answer);
    return answer;
  };
}

/**
 * Returns the release of the machine where it is not the one of the task; null also where nothing tells.
 * @param system - Of a task.
 */
export function findMovedTo(system: string, machine: ReportedSystem): string | null {
  const now = readRelease(machine);
  if (now === null || ofAllReleases.includes(system)) return null;
  const planned = machine.platform === 'windows' ? readProduct(system) : system;
  return planned === null || planned === now.key ? null : now.shown;
}

function readRelease({ platform, release, build, architecture }: ReportedSystem): {
  /** In the form of the system of a task; of Windows as `readProduct` returns it. */
  readonly key: string;
  readonly shown: string;
} | null {
  if (release === null) return null;
  if (platform === 'windows') {
    const distribution = release === 'Windows' ? null : release;
    const product = productOfMachine({ build, distribution, architecture });
    return product === null
      ? null
      : { key: withoutSuffix(product), shown: `${release}, build ${build}` };
  }
  if (platform === 'macos') {
    const major = majorMac(release.slice(macName.length + 1));
    return major === null ? null : { key: major, shown: release };
  }
  const known = machineOfRelease(release);
  const name = (known === null ? null : cataloguedRelease(known)?.names[0]) ?? release;
  return { key: name, shown: name };
}

/** A task of Linux on a machine that has Windows now has no product: it is the system itself. */
const readProduct = (system: string): string | null => {
  if (machineOfRelease(system) !== null || system.startsWith(`${macName} `)) return system;
  const product = productKey(system) ?? productOfComponent(system);
  return product === null ? null : withoutSuffix(product);
};

/** The core installation and each architecture are the same release. */
const withoutSuffix = (product: string) => product.replace(/(?: \(\w+\))+$/, '');
