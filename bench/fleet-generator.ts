/** Made-up machines of made-up images, and the errata that they miss: machine n depends on the seed and on n alone. */
import { seededRandom } from '@patch/server/testing/odd-catalogue.ts';
import type { MadeEntry } from './errata-generator.ts';
import { madeSources, plainPhrase } from './made-words.ts';

export const imageCount = 1000;
export const packagesAMachine = 600;
/** Packages of a machine whose version is not that of its image. */
const packagesOff = 5;
const flavours = 10;
const commonPackages = 400;
const packageCount = commonPackages + flavours * (packagesAMachine - commonPackages);
/** Of each package, one every five months. */
const versionCount = 12;
const packagesAnErratum = 3;
const firstMonth = Date.UTC(2020, 0, 1);
const month = 30 * 24 * 3_600_000;
const monthsCount = 60;

const packageName = (n: number): string =>
  `${madeSources[n % madeSources.length] ?? ''}-${['libs', 'tools', 'common', 'plugin', 'data'][n % 5] ?? ''}-${n}`;

const versionOf = (version: number): string => `1.${version * 3}.${version}`;
const releaseOf = (n: number): string => `${1 + (n % 7)}.el9`;

/** The version of a package that was the newest in a month. */
const versionIn = (n: number, months: number): number =>
  Math.max(0, Math.min(versionCount - 1, Math.floor((months - (n % 5)) / 5)));

interface Image {
  readonly packages: readonly number[];
  /** By package, in the same order. */
  readonly versions: readonly number[];
}

function imageOf(seed: number, image: number): Image {
  const random = seededRandom(seed * 1_000_003 + image);
  const flavour = image % flavours;
  const own = packagesAMachine - commonPackages;
  const packages = Array.from({ length: packagesAMachine }, (_, place) =>
    place < commonPackages ? place : place + flavour * own,
  );
  const built = monthsCount / 3 + Math.floor((random() * monthsCount * 2) / 3);
  return { packages, versions: packages.map((n) => versionIn(n, built)) };
}

export interface MadeMachine {
  readonly key: string;
  readonly name: string;
  readonly text: string;
}

/** Makes machines of one seed, one after the other. */
export function machineMaker(seed: number): (machine: number) => MadeMachine {
  const images = Array.from({ length: imageCount }, (_, image) => imageOf(seed, image));
  return (machine) => {
    const random = seededRandom(seed * 7_000_003 + machine + 1);
    const { packages, versions } = images[Math.floor(random() * imageCount)] as Image;
    const off = new Map(
      Array.from({ length: packagesOff }, () => [
        Math.floor(random() * packagesAMachine),
        Math.floor(random() * versionCount),
      ]),
    );
    const lines = packages.map((n, place) => {
      const version = off.get(place) ?? versions[place] ?? 0;
      return `${packageName(n)} 0:${versionOf(version)}-${releaseOf(n)} x86_64 (none)`;
    });
    const name = `host-${machine}`;
    return { key: name, name, text: `${system}${lines.join('\n')}\n` };
  };
}

/** As the how-to collects it. */
const system =
  'NAME="AlmaLinux"\nVERSION="9.4 (Seafoam Ocelot)"\nID="almalinux"\nID_LIKE="rhel centos fedora"\nVERSION_ID="9.4"\n' +
  'PLATFORM_ID="platform:el9"\n5.14.0-427.13.1.el9_4.x86_64\n';

interface FixedPackage {
  readonly name: string;
  readonly version: string;
  readonly release: string;
}

interface MadeErratum {
  readonly id: string;
  readonly title: string;
  readonly severity: string;
  readonly issued: number;
  readonly packages: readonly FixedPackage[];
}

const severities = ['Low', 'Moderate', 'Important', 'Critical'];

/** `version`: of the packages that the erratum fixes; the images have those below `versionCount`. */
function madeErratum(seed: number, n: number, version: number): MadeErratum {
  const random = seededRandom(seed * 9_000_011 + n);
  const first = Math.floor(random() * packageCount);
  const packages = Array.from({ length: packagesAnErratum }, (_, place) => {
    const found = (first + place * 20) % packageCount;
    return { name: packageName(found), version: versionOf(version), release: releaseOf(found) };
  });
  const severity = severities[Math.floor(random() * severities.length)] as string;
  return {
    id: `ALSA-2020:${100_000 + n}`,
    title: `${severity}: ${packages[0]?.name ?? ''} security update`,
    severity,
    issued: firstMonth + version * 5 * month,
    packages,
  };
}

/** An erratum of the catalogue before the sync, as an entry. */
export function fleetErratum(seed: number, n: number): MadeEntry {
  const { id, title, severity, issued, packages } = madeErratum(
    seed,
    n,
    1 + (n % (versionCount - 1)),
  );
  return {
    key: id,
    row: {
      bulletinId: id,
      title,
      severity,
      category: 'security',
      osVersion: ['AlmaLinux 9'],
      releaseDate: issued,
      binaryPkgName: packages.map(({ name }) => name),
    },
    detail: {
      description: title,
      status: 'final',
      packages: packages.map(({ name, version, release }) => ({
        name,
        version: `${version}-${release}`,
        architecture: 'x86_64',
      })),
    },
  };
}

/** The vendor's document of new errata, which every machine with their packages misses. */
export function newErrata(seed: number, from: number, count: number): string {
  const random = seededRandom(seed);
  const data = Array.from({ length: count }, (_, place) => {
    const { id, title, severity, issued, packages } = madeErratum(seed, from + place, versionCount);
    return {
      id,
      issued_date: issued / 1000,
      updated_date: issued / 1000,
      severity,
      title,
      description: plainPhrase(20, random),
      type: 'security',
      packages: packages.map(({ name, version, release }, at) => ({
        name,
        epoch: '0',
        version,
        release,
        arch: 'x86_64',
        src: `${name}-${version}-${release}.src.rpm`,
        filename: `${name}-${version}-${release}.x86_64.rpm`,
        checksum: `${from + place}${at}`.padStart(64, '0'),
        checksum_type: 'sha256',
        reboot_suggested: 0,
      })),
      modules: [],
      references: [],
    };
  });
  return JSON.stringify({ schema_version: '1.0', data });
}
