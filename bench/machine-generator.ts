/**
 * Generated machines with AlmaLinux 9 whose packages the errata of `madeEntry` fix. Each was installed and updated as one of 1,000 images,
 * and has a few packages off it.
 */
import { createChance } from '@patch/catalogue/testing/chance.ts';
import { madeSources } from './errata-generator.ts';

const images = 1000;
const packagesOff = 5;
const system =
  'NAME="AlmaLinux"\nVERSION="9.4 (Seafoam Ocelot)"\nID="almalinux"\nID_LIKE="rhel centos fedora"\nVERSION_ID="9.4"\n' +
  'PLATFORM_ID="platform:el9"\n5.14.0-427.13.1.el9_4.x86_64\n';

/**
 * How the packages of an image came to their versions: `updated` at one moment to what each package had released until then, as machines
 * are; `mixed`, each by itself, so that a thousand machines have ten times as many different packages.
 */
export type Fleet = 'updated' | 'mixed';

const maxReleases = 12;
const drawInteger = (chance: () => number, below: number) => Math.floor(chance() * below);

interface Release {
  /** From 0 to 1. */
  readonly moment: number;
  readonly major: number;
  readonly minor: number;
}

const knownReleases = new Map<string, readonly Release[]>();

/** Returns the releases of a package from the oldest on. */
function releasesOf(seed: number, index: number): readonly Release[] {
  const key = `${seed} ${index}`;
  const known = knownReleases.get(key) ?? drawReleases(seed, index);
  knownReleases.set(key, known);
  return known;
}

function drawReleases(seed: number, index: number): readonly Release[] {
  const chance = createChance(seed * 3_000_017 + index);
  const count = 1 + drawInteger(chance, maxReleases);
  return Array.from({ length: count }, (_, at) => ({
    moment: at === 0 ? 0 : (at + chance()) / count,
    major: 6 + Math.floor((4 * at) / count),
    minor: Math.floor((30 * (at + 0.5)) / count),
  }));
}

/** Depends on its parameters alone. */
export function madeMachine(
  seed: number,
  machine: number,
  packages: number,
  fleet: Fleet = 'updated',
) {
  const own = createChance(seed * 7_000_003 + machine);
  const image = createChance(seed * 1_000_003 + drawInteger(own, images));
  const off = new Set(Array.from({ length: packagesOff }, () => drawInteger(own, packages)));
  const updated = image();
  const lines = Array.from({ length: packages }, (_, index) => {
    // Beyond the sources of the errata are packages that no erratum fixes.
    const name = madeSources[index] ?? `local-${index}`;
    const { major, minor } =
      fleet === 'mixed'
        ? { major: 6 + drawInteger(image, 4), minor: drawInteger(image, 30) }
        : (releasesOf(seed, index).findLast(({ moment }) => moment <= updated) as Release);
    return `${name} 0:${off.has(index) ? major - 1 : major}.${minor}-1.el9 x86_64 (none)`;
  });
  return {
    key: `host-${machine}`,
    name: `host-${machine}`,
    text: `${system}${lines.join('\n')}\n`,
  };
}
