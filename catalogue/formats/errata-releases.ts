/** The releases of RPM distributions that have a repository of errata, named as machines name themselves. */
import type { ListDefinition } from '../definition/list-definition.ts';
import { getList, type ListKey } from '../lists.ts';
import { cataloguedRelease, machineOfRelease } from '../machines/judgement/catalogued-release.ts';

export interface ErrataRelease {
  readonly list: ListDefinition;
  /** As records write it: `openSUSE Leap 15.6`. */
  readonly release: string;
  /** The path of its repository: `opensuse-leap/15.6`. */
  readonly path: string;
}

/** By the ID of os-release. */
const lists: Readonly<Record<string, ListKey>> = {
  almalinux: 'almalinux_patch',
  amzn: 'amazonlinux_patch',
  centos: 'centos_patch',
  ol: 'oracle_linux_patch',
  'opensuse-leap': 'opensuse_patch',
  rocky: 'rockylinux_patch',
};

/** Advisories of a group are for machines that use its repositories: its builds look newer than those of the distribution. */
const groups: Readonly<Record<string, string>> = { 'SIG Cloud': 'rocky-sig-cloud' };

export const errataLists: readonly ListDefinition[] = Object.values(lists).map(getList);

/**
 * Null for a distribution that has no errata here.
 * @param distribution - The ID of os-release, or the name of a group: `centos`, `rocky-sig-cloud`.
 * @param version - As `$releasever` has it: `7`, `9.4`, `2023.4.20240611`, `15.6`.
 */
export function findErrataRelease(distribution: string, version: string): ErrataRelease | null {
  const group = Object.entries(groups).find(([, name]) => name === distribution)?.[0];
  const id = group === undefined ? distribution : 'rocky';
  const list = Object.hasOwn(lists, id) ? lists[id] : undefined;
  const known = cataloguedRelease({ distribution: id, release: version });
  const release = known?.names.find((name) => toGroup(name) === group);
  if (list === undefined || release === undefined) return null;
  return { list: getList(list), release, path: `${distribution}/${release.split(' ').at(-1)}` };
}

/** Null for a release that has no repository: of another family, or without a version. */
export function toErrataRelease(release: string): ErrataRelease | null {
  const machine = machineOfRelease(release);
  if (machine === null) return null;
  const group = toGroup(release);
  const found = findErrataRelease(
    group === undefined ? machine.distribution : (groups[group] ?? ''),
    machine.release,
  );
  return found?.release === release ? found : null;
}

const toGroup = (release: string): string | undefined =>
  Object.keys(groups).find((group) => release.includes(` ${group} `));
