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

/** Where a machine is that left the release of a task. */
export interface MovedMachine {
  readonly state: 'moved';
  readonly movedTo: string;
}

/** Returns `findMovedTo` as a function of a machine and of a task, which remembers its answers: thousands of machines have few systems. */
export function rememberMovedTo(): (
  machine: ReportedSystem,
) => (system: string) => MovedMachine | null {
  const known = new Map<string, (system: string) => MovedMachine | null>();
  return (machine) => {
    const { platform, release, build, architecture } = machine;
    const key = [platform, release, build, architecture].join('\n');
    const before = known.get(key);
    if (before !== undefined) return before;
    const answers = new Map<string, MovedMachine | null>();
    const find = (system: string) => {
      const found = answers.get(system);
      if (found !== undefined) return found;
      const movedTo = findMovedTo(system, machine);
      const answer = movedTo === null ? null : ({ state: 'moved', movedTo } as const);
      answers.set(system, answer);
      return answer;
    };
    known.set(key, find);
    return find;
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
