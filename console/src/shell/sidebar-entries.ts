/**
 * What the sidebar leads to, in groups: the catalogue, which begins with the specification's fourteen in their order, the overview,
 * and administration. The home list is the logo's.
 */
import { type CatalogueList, catalogueLists, type ListKey } from '@patch/catalogue/lists.ts';
import type { UserType } from '@patch/contract/sign-in-endpoints.ts';
import {
  auditPath,
  checkMachinePath,
  dashboardPath,
  downloadsPath,
  emailPath,
  homePath,
  listPath,
  ssoPath,
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

export interface SidebarGroup {
  readonly heading: string;
  readonly entries: readonly SidebarEntry[];
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

/** Lists over all vendors, by their routes: they stand under Overview, and in the header. */
const overviewRoutes = ['all-patches', 'vulnerabilities', 'machines'];

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

/** The dashboard, and the lists over all vendors as far as this version has them. */
export const overviewEntries = (lists: readonly CatalogueList[]): readonly SidebarEntry[] => [
  { path: dashboardPath, label: 'Dashboard', mark: 'dashboard' },
  ...overviewRoutes.flatMap((route) => lists.filter((list) => list.route === route).map(entryOf)),
];

const isAddedList = (list: CatalogueList) =>
  rankOf(list) < 0 && list.route !== '' && !overviewRoutes.includes(list.route);

/** A list that a later version adds appears here without a change to this file. */
export const sidebarGroups: readonly SidebarGroup[] = [
  {
    heading: 'Catalogue',
    entries: [...specifiedEntries, ...catalogueLists.filter(isAddedList).map(entryOf)],
  },
  {
    heading: 'Overview',
    entries: [
      ...overviewEntries(catalogueLists),
      { path: checkMachinePath, label: 'Check a machine', mark: 'machine' },
    ],
  },
  {
    heading: 'Administration',
    entries: [
      { path: syncPath, label: 'Sync', mark: 'sync' },
      { path: usersPath, label: 'Users', mark: 'users', forAdmins: true },
      { path: emailPath, label: 'Email', mark: 'email', forAdmins: true },
      { path: ssoPath, label: 'Single sign-on', mark: 'sso', forAdmins: true },
      { path: downloadsPath, label: 'Downloads', mark: 'downloads', forAdmins: true },
      { path: auditPath, label: 'Audit log', mark: 'audit', forAdmins: true },
    ],
  },
];

export const entriesFor = (
  entries: readonly SidebarEntry[],
  userType: UserType | undefined,
): readonly SidebarEntry[] =>
  entries.filter(({ forAdmins }) => forAdmins !== true || userType === 'Admin');
