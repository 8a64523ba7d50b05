/** The sidebar: the specification's fourteen in their order, then what the product adds. The home list is the logo's. */
import { type CatalogueList, catalogueLists, type ListKey } from '@patch/catalogue/lists.ts';
import type { UserType } from '@patch/contract/sign-in-endpoints.ts';
import {
  auditPath,
  dashboardPath,
  downloadsPath,
  homePath,
  listPath,
  syncPath,
  usersPath,
} from '../widgets/list-paths.ts';
import type { MarkKey } from '../widgets/vendor-mark.tsx';

export interface SidebarEntry {
  readonly path: string;
  readonly label: string;
  readonly mark: MarkKey;
  /** Only administrators see it: the server refuses others what it leads to. */
  readonly forAdmins?: true;
}

export const entriesFor = (
  entries: readonly SidebarEntry[],
  userType: UserType | undefined,
): readonly SidebarEntry[] =>
  entries.filter(({ forAdmins }) => forAdmins !== true || userType === 'Admin');

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
const entryOf = (list: CatalogueList): SidebarEntry => ({
  path: listPath(list),
  label: list.shortLabel,
  mark: list.key,
});

export const specifiedEntries: readonly SidebarEntry[] = [
  ...catalogueLists
    .filter((list) => rankOf(list) >= 0)
    .sort((a, b) => rankOf(a) - rankOf(b))
    .map(entryOf),
  {
    path: `${homePath}/configuration`,
    label: 'Configuration',
    mark: 'configuration',
    forAdmins: true,
  },
];

/** A list that a later version adds appears here by itself. */
export const addedEntries: readonly SidebarEntry[] = [
  { path: dashboardPath, label: 'Dashboard', mark: 'dashboard' },
  ...catalogueLists.filter((list) => rankOf(list) < 0 && list.route !== '').map(entryOf),
  { path: syncPath, label: 'Sync', mark: 'sync' },
  { path: usersPath, label: 'Users', mark: 'users', forAdmins: true },
  { path: downloadsPath, label: 'Downloads', mark: 'downloads', forAdmins: true },
  { path: auditPath, label: 'Audit log', mark: 'audit', forAdmins: true },
];
