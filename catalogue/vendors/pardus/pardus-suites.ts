/** The suites that Pardus publishes, and the release of Debian that each is made from. */
import type { AptSuite } from '../../parsers/apt-suite.ts';

export interface PardusSuite extends AptSuite {
  /** What names its part: `guvenlik yirmiuc-deb`. */
  readonly key: string;
  /** `Pardus 23 guvenlik`: the release, and its layer unless that is Pardus' own. */
  readonly osVersion: string;
  /** Code name of the Debian release below. */
  readonly base: string;
}

/** As they stand in pardus-update's sources. Since 23, Debian's packages lie apart from Pardus' own. */
const releases = [
  {
    version: '25',
    codename: 'yirmibes',
    base: 'trixie',
    layers: ['pardus', 'pardus -deb', 'guvenlik -deb'],
  },
  {
    version: '23',
    codename: 'yirmiuc',
    base: 'bookworm',
    layers: ['pardus', 'pardus -deb', 'guvenlik -deb'],
  },
  { version: '21', codename: 'yirmibir', base: 'bullseye', layers: ['pardus', 'guvenlik'] },
  { version: '19', codename: 'ondokuz', base: 'buster', layers: ['pardus', 'guvenlik'] },
] as const;

export const pardusVersions: readonly string[] = releases.map(({ version }) => version);

const layerNames = {
  pardus: '',
  'pardus -deb': ' deb',
  guvenlik: ' guvenlik',
  'guvenlik -deb': ' guvenlik',
} as const;

/** Pardus' own key is not known to us; one that an administrator trusts is used in its place. */
const pinnedKeys: readonly string[] = [];

/** Encrypted: as long as no key is pinned, the transport is all that vouches for them. */
export const pardusSuites: readonly PardusSuite[] = releases.flatMap(
  ({ version, codename, base, layers }) =>
    layers.map((layer): PardusSuite => {
      const [repository = '', ending = ''] = layer.split(' ');
      const suite = `${codename}${ending}`;
      return {
        key: `${repository} ${suite}`,
        osVersion: `Pardus ${version}${layerNames[layer]}`,
        base,
        archive: `https://depo.pardus.org.tr/${repository}`,
        suite,
        architecture: 'amd64',
        pinnedKeys,
      };
    }),
);
