/** Lists that go out as OSV, with their ecosystems of the schema: https://ossf.github.io/osv-schema/#affectedpackage-field */
import type { ListDefinition } from '../definition/list-definition.ts';
import { getList, type ListKey } from '../lists.ts';

/** How the names of the schema are made: `AlmaLinux:9`, `openSUSE:Leap 15.6`. */
export interface EcosystemName {
  /** The label with which records write the releases of the distribution. */
  readonly label: string;
  readonly ecosystem: string;
  /** Has the advisories of all releases. */
  readonly list: ListKey;
  /** Words between the colon and the number. */
  readonly before: string;
  /** The namespaces of package URLs. */
  readonly namespaces: readonly string[];
}

/** By the ID of os-release. */
export const ecosystems: Readonly<Record<string, EcosystemName>> = {
  almalinux: {
    label: 'AlmaLinux',
    ecosystem: 'AlmaLinux',
    list: 'almalinux_patch',
    before: '',
    namespaces: ['almalinux'],
  },
  rocky: {
    label: 'Rocky Linux',
    ecosystem: 'Rocky Linux',
    list: 'rockylinux_patch',
    before: '',
    namespaces: ['rocky', 'rocky-linux', 'rockylinux'],
  },
  debian: {
    label: 'Debian',
    ecosystem: 'Debian',
    list: 'debian_patch',
    before: '',
    namespaces: ['debian'],
  },
  ubuntu: {
    label: 'Ubuntu',
    ecosystem: 'Ubuntu',
    list: 'linux_notice',
    before: '',
    namespaces: ['ubuntu'],
  },
  'opensuse-leap': {
    label: 'openSUSE Leap',
    ecosystem: 'openSUSE',
    list: 'opensuse_patch',
    before: 'Leap ',
    namespaces: ['opensuse', 'opensuse-leap'],
  },
};

/** The names without a release, in the order of the alphabet. */
export const osvEcosystems: readonly string[] = Object.values(ecosystems)
  .map(({ ecosystem }) => ecosystem)
  .toSorted();

/** Lists of vendors that have an ecosystem in the schema. */
export const osvLists: readonly ListDefinition[] = Object.values(ecosystems).map(({ list }) =>
  getList(list),
);

/** @returns The name without a release; the empty text for a list that is not in `osvLists`. */
export const getEcosystem = ({ key }: ListDefinition): string =>
  Object.values(ecosystems).find(({ list }) => list === key)?.ecosystem ?? '';
