/** The sidebar: the specification's fourteen in their order, then what the product adds. The home list is the logo's. */
import { type CatalogueList, catalogueLists, type ListKey } from '@patch/catalogue/lists.ts';
import { dashboardPath, homePath, listPath, syncPath } from '../widgets/list-paths.ts';
import type { MarkKey } from '../widgets/vendor-mark.tsx';

export interface SidebarEntry {
  readonly path: string;
  readonly label: string;
  readonly mark: MarkKey;
}

const inSpecifiedOrder = [
  'kb_repository',
  'linux_notice',
  'centos_patch',
  'opensuse_patch',
  'almalinux_patch',
  'rockylinux_patch',
  'thirdparty_patch',
  'debian_patch',
  'pardus_patch',
  'macos_patch',
  'oracle_linux_patch',
  'patch',
  'floto_user',
] as const satisfies readonly ListKey[];

const rankOf = (list: CatalogueList) => (inSpecifiedOrder as readonly ListKey[]).indexOf(list.key);
const entryOf = (list: CatalogueList): SidebarEntry => ({ path: listPath(list), label: list.shortLabel, mark: list.key });

export const specifiedEntries: readonly SidebarEntry[] = [
  ...catalogueLists
    .filter((list) => rankOf(list) >= 0)
    .sort((one, other) => rankOf(one) - rankOf(other))
    .map(entryOf),
  { path: `${homePath}/configuration`, label: 'Configuration', mark: 'configuration' },
];

/** A list that a later version adds appears here by itself. */
export const addedEntries: readonly SidebarEntry[] = [
  { path: dashboardPath, label: 'Dashboard', mark: 'dashboard' },
  ...catalogueLists.filter((list) => rankOf(list) < 0 && list.route !== '').map(entryOf),
  { path: syncPath, label: 'Sync', mark: 'sync' },
];
