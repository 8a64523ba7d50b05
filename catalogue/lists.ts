/**
 * The registry of lists: the home list, the lists of the specification in the sidebar's order, and the lists that the product
 * adds.
 */
import { licensedClientList } from './clients/licensed-client-list.ts';
import type { ListDefinition } from './definition/list-definition.ts';
import { machineList } from './fleet/machine-list.ts';
import { allPatchesList } from './records/all-patches-list.ts';
import { vulnerabilityList } from './risk/vulnerability-list.ts';
import { almalinuxList } from './vendors/almalinux/almalinux-list.ts';
import { amazonlinuxList } from './vendors/amazonlinux/amazonlinux-list.ts';
import { centosList } from './vendors/centos/centos-list.ts';
import { debianList } from './vendors/debian/debian-list.ts';
import { macosList } from './vendors/macos/macos-list.ts';
import { opensuseList } from './vendors/opensuse/opensuse-list.ts';
import { oraclelinuxList } from './vendors/oraclelinux/oraclelinux-list.ts';
import { pardusList } from './vendors/pardus/pardus-list.ts';
import { rockylinuxList } from './vendors/rockylinux/rockylinux-list.ts';
import { thirdpartyList } from './vendors/thirdparty/thirdparty-list.ts';
import { ubuntuNoticeList } from './vendors/ubuntu/ubuntu-notice-list.ts';
import { ubuntuPackageList } from './vendors/ubuntu/ubuntu-package-list.ts';
import { windowsKbBaseList } from './vendors/windows/lists/windows-kb-base-list.ts';
import { windowsKbList } from './vendors/windows/lists/windows-kb-list.ts';
import { windowsPatchList } from './vendors/windows/lists/windows-patch-list.ts';

const lists = [
  windowsKbList,
  windowsKbBaseList,
  ubuntuNoticeList,
  centosList,
  opensuseList,
  almalinuxList,
  rockylinuxList,
  thirdpartyList,
  debianList,
  pardusList,
  macosList,
  oraclelinuxList,
  windowsPatchList,
  licensedClientList,
  ubuntuPackageList,
  amazonlinuxList,
  allPatchesList,
  vulnerabilityList,
  machineList,
] as const;

export type ListKey = (typeof lists)[number]['key'];

/** A list of the catalogue whose key and source the compiler knows. */
export type CatalogueList = ListDefinition & {
  readonly key: ListKey;
  readonly source: (typeof lists)[number]['source'];
};

export const catalogueLists: readonly CatalogueList[] = lists;

export function getList(key: ListKey): CatalogueList {
  const list = catalogueLists.find((candidate) => candidate.key === key);
  if (list === undefined) throw new Error(`Unknown list ${key}`);
  return list;
}
