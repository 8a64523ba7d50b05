/**
 * Splits a machine into parts that are judged independently: a machine misses what its parts miss. Machines share most of their
 * parts, so each part is stored and judged once. See docs/decisions/050.
 */
import { fold } from '../definition/fold.ts';
import {
  applicationKeys,
  plainApplicationName,
} from '../machines/judgement/application-judgement.ts';
import {
  type CataloguedRelease,
  cataloguedRelease,
} from '../machines/judgement/catalogued-release.ts';
import { getSource } from '../machines/judgement/installed-packages.ts';
import { isMetapackage, kernelStem } from '../machines/judgement/kernel-stem.ts';
import { macSystem } from '../machines/judgement/macos-judgement.ts';
import { productOfMachine } from '../machines/judgement/windows-products.ts';
import type { InstalledApplication, InstalledPackage, Machine } from '../machines/machine.ts';

export const partKinds = ['packages', 'windows', 'macos', 'applications'] as const;
export type PartKind = (typeof partKinds)[number];

export interface InventoryPart {
  readonly kind: PartKind;
  /** The first name of the release in the catalogue, the Windows product, or macOS with its major version; empty if none exists. */
  readonly scope: string;
  /** Names of packages, sources and applications (kernels without their number) by which relevant records are found. */
  readonly names: readonly string[];
  /** A machine with this part alone. Equal parts have equal machines. */
  readonly machine: Machine;
}

const nothing: Machine = {
  platform: null,
  distribution: null,
  release: null,
  architecture: null,
  kernel: null,
  build: null,
  packages: [],
  kbs: [],
  applications: [],
};

export function inventoryParts(machine: Machine): readonly InventoryPart[] {
  return mapInventoryParts(machine, (_, part) => part());
}

/** The packages of one part as the machine lists them, with the context that the part depends on. */
export interface PartOrigin {
  readonly surroundings: string;
  readonly packages: readonly InstalledPackage[];
}

/** `origin` is null for parts other than packages. Equal origins have equal parts, so a known part need not be built. */
export type PartMaker<Made> = (origin: PartOrigin | null, part: () => InventoryPart) => Made;

/** Splits the machine and maps each part, which `make` builds on demand. */
export function mapInventoryParts<Made>(machine: Machine, make: PartMaker<Made>): readonly Made[] {
  const { platform, applications } = machine;
  const others = [
    ...(platform === 'windows' || platform === 'macos' ? systemParts(machine) : []),
    ...applicationParts(applications),
  ].map((part) => make(null, () => part));
  return platform === 'windows' || platform === 'macos'
    ? others
    : [...packageParts(machine, make), ...others];
}

function systemParts(machine: Machine): readonly InventoryPart[] {
  const { platform, distribution, release, architecture, build, kbs, unlistedKbs } = machine;
  if (platform === 'windows')
    return [
      {
        kind: 'windows',
        scope: productOfMachine(machine) ?? '',
        names: [],
        machine: {
          ...nothing,
          platform,
          distribution,
          architecture,
          build,
          kbs: kbs.toSorted((a, b) => Number(a) - Number(b)),
          ...(unlistedKbs !== undefined && { unlistedKbs }),
        },
      },
    ];
  return [
    {
      kind: 'macos',
      scope: macSystem(machine) ?? '',
      names: [],
      machine: { ...nothing, platform, release, build },
    },
  ];
}

/** Groups packages that one record can compare with each other: those of one name, source or line of kernels. */
function packageParts<Made>(machine: Machine, make: PartMaker<Made>): readonly Made[] {
  const catalogued = cataloguedRelease(machine);
  const scope = catalogued?.names[0] ?? '';
  const release = shortRelease(machine, catalogued);
  const sourcesKnown = machine.packages.some(({ source }) => source !== null);
  const getKeys = keysOfPackages(sourcesKnown);
  const around = JSON.stringify([machine.distribution, release, scope, sourcesKnown]);
  return groupConnected(machine.packages, getKeys).map((packages) => {
    // Fixes of Oracle's UEK depend on the running kernel's line; no other fix depends on the running kernel.
    const isUek = packages.some(({ name }) => name.startsWith('kernel-uek'));
    const kernel = isUek ? machine.kernel : null;
    const surroundings = kernel === null ? around : `${around} ${kernel}`;
    return make({ surroundings, packages }, () => {
      const own = packages.map((one) => comparable(one, sourcesKnown));
      return {
        kind: 'packages',
        scope,
        names: namesOfPackages(own, sourcesKnown),
        machine: {
          ...nothing,
          platform: 'linux',
          distribution: machine.distribution,
          release,
          kernel,
          packages: own.toSorted(byNameAndVersion),
        },
      };
    });
  });
}

/** Machines of 8.9 and 8.10 share parts, because records are for 8. */
function shortRelease({ release }: Machine, catalogued: CataloguedRelease | null): string | null {
  return catalogued?.names[0]?.split(' ').at(-1) ?? release;
}

/**
 * Normalizes the package: the same properties in the same order, whichever reader made it. Where sources are known, every package
 * states its own.
 */
function comparable(one: InstalledPackage, sourcesKnown: boolean): InstalledPackage {
  const { format, name, version, epoch, architecture, module, source, stateKnown, cut } = one;
  const own = format === 'deb' && sourcesKnown ? { name, version: null } : null;
  const from = source ?? own;
  return {
    format,
    name,
    version,
    epoch,
    architecture,
    module:
      module.kind === 'stream'
        ? { kind: 'stream', name: module.name, stream: module.stream }
        : { kind: module.kind },
    source: from === null ? null : { name: from.name, version: from.version },
    stateKnown,
    ...(cut === true && { cut }),
  };
}

/** Caches the keys of each package, because machines of one image are read into the same packages. */
const knownKeys = [false, true].map(() => new WeakMap<InstalledPackage, readonly string[]>());

function keysOfPackages(sourcesKnown: boolean): (one: InstalledPackage) => readonly string[] {
  const known = knownKeys[Number(sourcesKnown)];
  return (one) => {
    const before = known?.get(one);
    if (before !== undefined) return before;
    const keys = keysOfPackage(one, sourcesKnown);
    known?.set(one, keys);
    return keys;
  };
}

function keysOfPackage(one: InstalledPackage, sourcesKnown: boolean): readonly string[] {
  if (one.format === 'rpm') return [`name ${one.name}`];
  const stem = kernelStem(one.name);
  return [
    `name ${one.name}`,
    ...(stem === null ? [] : [`stem ${stem}`]),
    ...(sourcesKnown ? [`source ${getSource(one).name}`] : []),
    // A kernel is updated by its metapackage, which Ubuntu builds from another source.
    ...(sourcesKnown && (stem !== null || isMetapackage(one.name)) ? ['kernel'] : []),
  ];
}

function namesOfPackages(
  packages: readonly InstalledPackage[],
  sourcesKnown: boolean,
): readonly string[] {
  const names = packages.flatMap((one) => [
    one.name,
    ...(one.format === 'deb' ? [kernelStem(one.name)] : []),
    ...(one.format === 'deb' && sourcesKnown ? [getSource(one).name] : []),
  ]);
  return [...new Set(names.filter((name) => name !== null))].toSorted();
}

/** Returns the names under which a part can contain the package of a fix. */
export function namesOfFix(name: string): readonly string[] {
  const stem = kernelStem(name);
  return stem === null ? [name] : [name, stem];
}

/** The first of several applications with one name represents them, so their order is preserved. */
function applicationParts(applications: readonly InstalledApplication[]): readonly InventoryPart[] {
  return groupConnected(applications, applicationKeys).map((own) => ({
    kind: 'applications',
    scope: '',
    names: namesOfApplications(own),
    machine: {
      ...nothing,
      applications: own.map(({ name, identifier, version, packaging }) => ({
        name,
        identifier,
        version,
        ...(packaging !== undefined && { packaging }),
      })),
    },
  }));
}

function namesOfApplications(applications: readonly InstalledApplication[]): readonly string[] {
  // No record is looked up for a snap.
  const judged = applications.filter(({ packaging }) => packaging !== 'snap');
  const names = judged.flatMap(({ name, identifier }) => [
    fold(name),
    fold(plainApplicationName(name)),
    ...(identifier === null ? [] : [fold(identifier)]),
  ]);
  return [...new Set(names)].toSorted();
}

/** Groups items that share a key, directly or through others, in the order of their first item. */
function groupConnected<Item>(
  items: readonly Item[],
  getKeys: (item: Item) => readonly string[],
): readonly (readonly Item[])[] {
  const groupOfKey = new Map<string, Item[]>();
  const groups: Item[][] = [];
  for (const item of items) {
    const keys = getKeys(item);
    let own = keys.length === 1 ? groupOfKey.get(keys[0] ?? '') : undefined;
    if (keys.length > 1)
      for (const key of keys) {
        const found = groupOfKey.get(key);
        if (found === undefined || found === own) continue;
        if (own === undefined) {
          own = found;
          continue;
        }
        own.push(...found);
        for (const moved of found)
          for (const movedKey of getKeys(moved)) groupOfKey.set(movedKey, own);
        found.length = 0;
      }
    if (own !== undefined) own.push(item);
    else {
      own = [item];
      groups.push(own);
    }
    for (const key of keys) groupOfKey.set(key, own);
  }
  return groups.filter(({ length }) => length > 0);
}

function byNameAndVersion(a: InstalledPackage, b: InstalledPackage): number {
  return (
    compareText(a.name, b.name) ||
    compareText(a.version, b.version) ||
    compareText(a.architecture ?? '', b.architecture ?? '')
  );
}

const compareText = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** Rebuilds the machine from its parts, as far as judgements depend on it. */
export function machineOfParts(parts: readonly Pick<InventoryPart, 'machine'>[]): Machine {
  const machines = parts.map(({ machine }) => machine);
  const first = <Name extends keyof Machine>(name: Name): Machine[Name] | null =>
    machines.map((machine) => machine[name]).find((value) => value !== null) ?? null;
  const unlistedKbs = machines.reduce((sum, machine) => sum + (machine.unlistedKbs ?? 0), 0);
  return {
    platform: first('platform'),
    distribution: first('distribution'),
    release: first('release'),
    architecture: first('architecture'),
    kernel: first('kernel'),
    build: first('build'),
    packages: machines.flatMap(({ packages }) => packages),
    kbs: machines.flatMap(({ kbs }) => kbs),
    ...(unlistedKbs > 0 && { unlistedKbs }),
    applications: machines.flatMap(({ applications }) => applications),
  };
}
