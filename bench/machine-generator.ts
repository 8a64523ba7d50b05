/** Generated machines with AlmaLinux 9 whose packages the errata of `madeEntry` fix: each is of an image, a few packages off it. */
import { createChance } from '@patch/catalogue/testing/chance.ts';
import { madeSources } from './errata-generator.ts';

const images = 1000;
const packagesOff = 5;
const system =
  'NAME="AlmaLinux"\nVERSION="9.4 (Seafoam Ocelot)"\nID="almalinux"\nID_LIKE="rhel centos fedora"\nVERSION_ID="9.4"\n' +
  'PLATFORM_ID="platform:el9"\n5.14.0-427.13.1.el9_4.x86_64\n';

/** Depends on the seed, the number of the machine and the number of its packages alone. */
export function madeMachine(seed: number, machine: number, packages: number) {
  const own = createChance(seed * 7_000_003 + machine);
  const drawInteger = (chance: () => number, below: number) => Math.floor(chance() * below);
  const image = createChance(seed * 1_000_003 + drawInteger(own, images));
  const off = new Set(Array.from({ length: packagesOff }, () => drawInteger(own, packages)));
  const lines = Array.from({ length: packages }, (_, index) => {
    // Beyond the sources of the errata are packages that no erratum fixes.
    const name = madeSources[index] ?? `local-${index}`;
    const [major, minor] = [6 + drawInteger(image, 4), drawInteger(image, 30)];
    return `${name} 0:${off.has(index) ? major - 1 : major}.${minor}-1.el9 x86_64 (none)`;
  });
  return {
    key: `host-${machine}`,
    name: `host-${machine}`,
    text: `${system}${lines.join('\n')}\n`,
  };
}
