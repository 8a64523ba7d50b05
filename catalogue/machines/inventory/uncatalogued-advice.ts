/** Names the release of a machine that the catalogue has no records of, so that it is not taken for one without findings. */
import type { Machine } from '../machine.ts';
import { distributionName } from './distribution-names.ts';
import type { InventoryAdvice } from './inventory-advice.ts';

/** Vendors that publish no advisories for these; those of the sibling are for other builds. */
const siblings: Readonly<Record<string, string>> = {
  'almalinux-kitten': 'AlmaLinux',
  'centos-stream': 'CentOS Linux',
  devuan: 'Debian',
  elementary: 'Ubuntu',
  kali: 'Debian',
  linuxmint: 'Ubuntu',
  neon: 'Ubuntu',
  pop: 'Ubuntu',
  raspbian: 'Debian',
  zorin: 'Ubuntu',
};

/** Returns nothing for a machine whose system the text does not name. */
export function uncataloguedAdvice({
  distribution,
  release,
  build,
}: Pick<Machine, 'distribution' | 'release' | 'build'>): readonly InventoryAdvice[] {
  if (distribution === null) return [];
  const name = [distributionName(distribution), release ?? build]
    .filter((word) => word !== null)
    .join(' ');
  const sibling = Object.hasOwn(siblings, distribution) ? siblings[distribution] : undefined;
  const apart =
    sibling === undefined ? '' : ` The advisories of ${sibling} are not compared with its builds.`;
  return [
    {
      kind: 'releaseNotInCatalogue',
      text: `${name} is not a release that this catalogue has, so nothing is known about its missing patches.${apart}`,
      command: null,
    },
  ];
}
