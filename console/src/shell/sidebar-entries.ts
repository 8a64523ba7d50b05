/**
 * The groups of the sidebar: the overview, the catalogue, which starts with the specification's fourteen entries in its order, and
 * the administration. The logo leads to the home list.
 */
import { type CatalogueList, catalogueLists, type ListKey } from '@patch/catalogue/lists.ts';
import type { SignedInUser } from '@patch/contract/accounts/sign-in-endpoints.ts';
import {
  assignmentsPath,
  auditPath,
  checkMachinePath,
  dashboardPath,
  downloadsPath,
  emailPath,
  exceptionsPath,
  groupsPath,
  homePath,
  listPath,
  monthsPath,
  plansPath,
  reportPath,
  ringsPath,
  ssoPath,
  syncPath,
  usersPath,
} from '../widgets/list-paths.ts';
import type { MarkKey } from '../widgets/vendor-mark.tsx';

export interface SidebarEntry {
  readonly path: string;
  readonly label: string;
  readonly mark: MarkKey;
  /** Shown to administrators only, because the server refuses its requests to others. */
  readonly forAdmins?: true;
  /** Not shown to users of some groups, for the same reason. */
  readonly ofAllMachines?: true;
}

export interface SidebarGroup {
  readonly heading: string;
  readonly entries: readonly SidebarEntry[];
}

const specifiedOrder = [
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

/** Routes of lists over all vendors, which the overview and the header show. */
const overviewRoutes = ['all-patches', 'vulnerabilities', 'machines'];

const getRank = (list: CatalogueList) => (specifiedOrder as readonly ListKey[]).indexOf(list.key);
const toEntry = (list: CatalogueList): SidebarEntry => ({
  path: listPath(list),
  label: list.shortLabel,
  mark: list.key,
});

export const specifiedEntries: readonly SidebarEntry[] = [
  ...catalogueLists
    .filter((list) => getRank(list) >= 0)
    .sort((a, b) => getRank(a) - getRank(b))
    .map(toEntry),
  {
    path: `${homePath}/configuration`,
    label: 'Configuration',
    mark: 'configuration',
    forAdmins: true,
  },
];

/** Returns the dashboard and the lists over all vendors that this version has. */
export const listOverviewEntries = (lists: readonly CatalogueList[]): readonly SidebarEntry[] => [
  { path: dashboardPath, label: 'Dashboard', mark: 'dashboard' },
  ...overviewRoutes.flatMap((route) => lists.filter((list) => list.route === route).map(toEntry)),
];

const isAddedList = (list: CatalogueList) =>
  getRank(list) < 0 && list.route !== '' && !overviewRoutes.includes(list.route);

/** Lists of a later version appear here without a change to this file. */
export const sidebarGroups: readonly SidebarGroup[] = [
  {
    heading: 'Overview',
    entries: [
      ...listOverviewEntries(catalogueLists),
      { path: groupsPath, label: 'Groups', mark: 'groups' },
      { path: plansPath, label: 'Plans', mark: 'plans' },
      { path: reportPath, label: 'Report', mark: 'report' },
      { path: ringsPath, label: 'Rings', mark: 'rings', ofAllMachines: true },
      { path: exceptionsPath, label: 'Exceptions', mark: 'exceptions' },
      { path: assignmentsPath, label: 'Assigned', mark: 'assignments' },
      { path: monthsPath, label: 'This month', mark: 'month' },
      { path: checkMachinePath, label: 'Check a machine', mark: 'machine' },
    ],
  },
  {
    heading: 'Catalogue',
    entries: [...specifiedEntries, ...catalogueLists.filter(isAddedList).map(toEntry)],
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

export const filterEntries = (
  entries: readonly SidebarEntry[],
  user: Pick<SignedInUser, 'userType' | 'machineGroups'> | null,
): readonly SidebarEntry[] =>
  entries.filter(
    ({ forAdmins, ofAllMachines }) =>
      (forAdmins !== true || user?.userType === 'Admin') &&
      (ofAllMachines !== true || (user?.machineGroups ?? null) === null),
  );
