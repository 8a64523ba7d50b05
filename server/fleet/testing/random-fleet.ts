/** Random records and machines of every platform, from few values so that they often match. */
import { type CatalogueList, getList } from '@patch/catalogue/lists.ts';
import type { InstalledPackage, Machine } from '@patch/catalogue/machines/machine.ts';

/** A random generator with a seed, so that a failure can be repeated. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
    // Consecutive seeds begin alike.
    for (let turn = 0; turn < 3; turn += 1) this.below(2);
  }

  below(limit: number): number {
    this.#state = (this.#state * 1664525 + 1013904223) % 4294967296;
    return Math.floor((this.#state / 4294967296) * limit);
  }

  of<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }
}

export interface RandomRecord {
  readonly list: CatalogueList;
  readonly key: string;
  readonly row: Readonly<Record<string, unknown>>;
  readonly detail: Readonly<Record<string, unknown>>;
}

const severities = ['Critical', 'Important', 'Moderate', 'Low', null];
const rpmNames = ['bash', 'openssl', 'openssl-libs', 'kernel-core', 'perl', 'perl-libs'];
const rpmVersions = ['1.1-1.el8', '1.1-2.el8', '1.2-1.el8', '1.1-2.module+el8', '2.0-1.el8'];
const debNames = [
  'bash',
  'libssl3',
  'openssl',
  'linux-image-5.10.0-8-amd64',
  'linux-image-5.10.0-9-amd64',
];
const debSources = ['bash', 'openssl', 'linux'];
const debVersions = ['1.0-1', '1.0-1+b1', '1.0-2', '1.1-1', '5.10.46-4'];
const builds = [1000, 1100, 1200, 1300];

/** Uses few keys, so that records are written several times. */
export function randomRecord(random: Random): RandomRecord {
  const number = random.below(10);
  const make = random.of([rpmErratum, debAdvisory, windowsUpdate, macRelease, applicationRelease]);
  return make(random, number);
}

const rpmErratum = (random: Random, number: number): RandomRecord => ({
  list: getList('almalinux_patch'),
  key: `alsa-${number}`,
  row: {
    bulletinId: `ALSA-2024:${number}`,
    title: `Update ${number}`,
    severity: random.of(severities),
    osVersion: random.of([['AlmaLinux 8'], ['AlmaLinux 9'], ['AlmaLinux 8', 'AlmaLinux 9']]),
    releaseDate: 1000 + number,
  },
  detail: {
    ...(random.below(8) === 0 && { status: 'retracted' }),
    packages: Array.from({ length: 1 + random.below(3) }, () => ({
      name: random.of(rpmNames),
      version: random.of(rpmVersions),
      architecture: random.of(['x86_64', 'noarch']),
      ...(random.below(3) === 0 && { module: 'perl:5.26' }),
    })),
  },
});

function debAdvisory(random: Random, number: number): RandomRecord {
  const name = random.of(debSources);
  return {
    list: getList('debian_patch'),
    key: `dsa-${number}`,
    row: {
      bulletinId: `DSA-${number}`,
      title: `Update ${number}`,
      pkgName: name,
      osVersion: random.of(['Debian 11', 'Debian 12']),
      pkgAndVersion: `${name} ${random.of(debVersions)}`,
      releaseDate: 1000 + number,
    },
    detail: {},
  };
}

const windowsUpdate = (random: Random, number: number): RandomRecord => ({
  list: getList('patch_repository'),
  key: `kb-${number}`,
  row: {
    kbId: `KB50000${number}0`,
    name: `KB 50000${number}0`,
    productName: random.of(['Windows Server 2022', 'Windows Server 2019']),
    severity: random.of(severities),
    releaseDate: 1000 + number,
    exploited: random.of([true, null]),
    supersededBy: number < 9 && random.below(2) === 0 ? [`KB50000${number + 1}0`] : [],
  },
  detail: {
    line: random.of(['Cumulative update', 'Servicing stack', 'Security only']),
    fixedBuild: random.of([[], [`10.0.20348.${random.of(builds)}`]]),
  },
});

const macRelease = (_random: Random, number: number): RandomRecord => ({
  list: getList('macos_patch'),
  key: `mac-${number}`,
  row: {
    productKey: `mac-${number}`,
    title: `macOS 14.${number}`,
    version: `14.${number}`,
    releaseDate: 1000 + number,
  },
  detail: {},
});

const applicationRelease = (random: Random, number: number): RandomRecord => ({
  list: getList('thirdparty_patch'),
  key: `app-${number}`,
  row: {
    uuid: `u-${number}`,
    name: random.of(['7-Zip', 'Git', 'Firefox']),
    version: `${1 + random.below(4)}.0`,
    manufacturer: 'Maker',
    severity: random.of(severities),
  },
  detail: {},
});

/** A Linux machine without any facts. */
export const bareMachine: Machine = {
  platform: 'linux',
  distribution: null,
  release: null,
  architecture: null,
  kernel: null,
  build: null,
  packages: [],
  kbs: [],
  applications: [],
};

export function randomMachine(random: Random): Machine {
  switch (random.below(5)) {
    case 0:
    case 1:
      return {
        ...bareMachine,
        distribution: 'almalinux',
        release: random.of(['8.9', '8.10', '9.4']),
        packages: packages(random, rpmPackage),
      };
    case 2: {
      const withSources = random.below(2) === 0;
      return {
        ...bareMachine,
        distribution: 'debian',
        release: random.of(['11', '12.2', '99']),
        packages: packages(random, () => debPackage(random, withSources)),
      };
    }
    case 3:
      return {
        ...bareMachine,
        platform: 'windows',
        distribution: 'Microsoft Windows Server 2022 Standard',
        build: random.of(['10.0.20348', `10.0.20348.${random.of(builds)}`, '10.0.17763']),
        kbs: Array.from({ length: random.below(4) }, () => `50000${random.below(10)}0`),
        applications: ['7-Zip', 'Git', 'Firefox'].slice(random.below(3)).map((name) => ({
          name,
          identifier: null,
          version: `${1 + random.below(4)}.0`,
        })),
      };
    default:
      return {
        ...bareMachine,
        platform: 'macos',
        release: `14.${random.below(10)}`,
        build: '23A344',
      };
  }
}

function packages(
  random: Random,
  buildPackage: (random: Random) => InstalledPackage,
): readonly InstalledPackage[] {
  const made = Array.from({ length: 1 + random.below(6) }, () => buildPackage(random));
  const packageKey = ({ name, version, architecture }: InstalledPackage) =>
    `${name} ${version} ${architecture ?? ''}`;
  // The first of two packages with one version becomes the evidence.
  return [...new Map(made.map((found) => [packageKey(found), found])).values()].toSorted((a, b) =>
    packageKey(a) < packageKey(b) ? -1 : 1,
  );
}

export const rpm = (name: string, version: string): InstalledPackage => ({
  format: 'rpm',
  name,
  version,
  epoch: null,
  architecture: 'x86_64',
  module: { kind: 'none' },
  source: null,
  stateKnown: true,
});

const rpmPackage = (random: Random): InstalledPackage => ({
  ...rpm(random.of(rpmNames), random.of(rpmVersions)),
  module: random.of([
    { kind: 'none' },
    { kind: 'unstated' },
    { kind: 'stream', name: 'perl', stream: '5.26' },
  ]),
});

const debPackage = (random: Random, withSources: boolean): InstalledPackage => ({
  ...rpm(random.of(debNames), random.of(debVersions)),
  format: 'deb',
  architecture: 'amd64',
  source: withSources ? { name: random.of(debSources), version: null } : null,
});

/** Returns the report of a client that knows its packages. */
export function reported(key: string, machine: Machine): object {
  const { platform, distribution, release, kernel, build } = machine;
  const facts = { platform, distribution, release, kernel, build };
  return {
    key,
    name: `host-${key}`,
    ...Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null)),
    packages: machine.packages.map(({ format, name, version, architecture, module, source }) => ({
      format,
      name,
      version,
      architecture,
      ...(module.kind === 'none' && { module: null }),
      ...(module.kind === 'stream' && { module: { name: module.name, stream: module.stream } }),
      ...(source !== null && { source: { name: source.name } }),
    })),
    kbs: machine.kbs,
    applications: machine.applications.map(({ name, version }) => ({ name, version })),
  };
}
