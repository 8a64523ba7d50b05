/** The suites that Pardus publishes, and the Debian release that each is made from. */
import type { AptSuite } from '../../parsers/apt-suite.ts';

export interface PardusSuite extends AptSuite {
  /** Key of the part: `guvenlik yirmiuc-deb`. */
  readonly key: string;
  /** `Pardus 23 guvenlik`: the release, and its layer unless it is Pardus' own. */
  readonly osVersion: string;
  /** Code name of the Debian release that it is made from. */
  readonly base: string;
}

/** As listed in pardus-update's sources. Since 23, Debian's packages have a repository of their own. */
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

/** Pardus' own key is unknown; a key that an administrator trusts is used instead. */
const pinnedKeys: readonly string[] = [];

/** Addresses are https: without a pinned key only the transport authenticates them. */
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
