/** The lists whose advisories go out as CSAF documents, how an advisory is named in each, and who publishes it. */
import type { ListDefinition } from '../definition/list-definition.ts';
import { getList, type ListKey } from '../lists.ts';
import { type StoredValues, wordIn } from '../machines/judgement/stored-values.ts';
import { recordMapping } from '../records/record-mapping.ts';
import { sourceLabels } from '../sources.ts';

const keys: readonly ListKey[] = [
  'patch_repository',
  'kb_repository',
  'macos_patch',
  'oracle_linux_patch',
  'amazonlinux_patch',
  'pardus_patch',
  'centos_patch',
  'almalinux_patch',
  'debian_patch',
  'rockylinux_patch',
  'linux_notice',
  'opensuse_patch',
];

/** Lists whose advisories go out as CSAF. When two lists have an advisory of one name, the first that lists it provides the document: the security update guide says more of a KB than Windows Update. */
export const csafLists: readonly ListDefinition[] = keys.map(getList);

/** The lists of the same source, which may have an advisory too, and the list itself: the one whose advisories are preferred first. */
export const listsOfAdvisory = (list: ListDefinition): readonly ListDefinition[] =>
  csafLists.filter(({ source }) => source === list.source);

/** The field that names the advisory. Pardus publishes packages without bulletins. */
export function identifierField(list: ListDefinition): string {
  if (list.source === 'pardus') return 'pkgAndVersion';
  return recordMapping(list, '').identifier[0] ?? '';
}

/** Null for a record that belongs to no advisory, and for records of other lists. */
export const advisoryIdentifier = (list: ListDefinition, row: StoredValues): string | null =>
  csafLists.includes(list) ? wordIn(row, identifierField(list)) : null;

export function csafVendor(list: ListDefinition): string {
  const label = list.source === null ? list.shortLabel : sourceLabels[list.source as 'wsus'];
  const { vendor } = recordMapping(list, label);
  return vendor.kind === 'words' ? vendor.words : label;
}
