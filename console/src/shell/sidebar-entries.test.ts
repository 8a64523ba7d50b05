import { catalogueLists } from '@patch/catalogue/lists.ts';
import { specified } from '@patch/catalogue/testing/specified.ts';
import { expect, it } from 'vitest';
import {
  filterEntries,
  listOverviewEntries,
  sidebarGroups,
  specifiedEntries,
} from './sidebar-entries.ts';

it('lists the specification’s fourteen entries in its order', () => {
  // The specification's entry names; two lists differ from their product area.
  const areas = new Map([
    ['kb_base', 'kb_repository'],
    ['patch_list', 'patch'],
  ]);
  const routes: Readonly<Record<string, string>> = {
    ...specified.listRoutes,
    configuration: 'configuration',
  };
  expect(specified.sidebarEntries).toHaveLength(14);
  expect(specifiedEntries.map(({ path }) => path)).toEqual(
    specified.sidebarEntries.map(
      (entry) => `${specified.prefix}/${routes[areas.get(entry) ?? entry]}`,
    ),
  );
});

it('shows the overview, the catalogue with those fourteen first, and the administration', () => {
  expect(sidebarGroups.map(({ heading }) => heading)).toEqual([
    'Overview',
    'Catalogue',
    'Administration',
  ]);
  expect(sidebarGroups[1]?.entries.slice(0, 14)).toEqual(specifiedEntries);
});

it("leads to every list except the logo's home list, and to each address once", () => {
  const paths = sidebarGroups.flatMap(({ entries }) => entries.map(({ path }) => path));
  const routes = catalogueLists.map(({ route }) => route).filter((route) => route !== '');
  expect(paths).toEqual(
    expect.arrayContaining(routes.map((route) => `/patch-repository/${route}`)),
  );
  expect(new Set(paths).size).toBe(paths.length);
});

it('shows lists of all vendors in the overview if the catalogue has them', () => {
  const [sample] = catalogueLists;
  if (sample === undefined) throw new Error('No list is defined');
  const withRoute = (route: string, shortLabel: string) => ({ ...sample, route, shortLabel });
  const withoutThem = catalogueLists.filter(
    ({ route }) => !['all-patches', 'vulnerabilities', 'machines'].includes(route),
  );
  expect(listOverviewEntries(withoutThem).map(({ label }) => label)).toEqual(['Dashboard']);
  const lists = [
    withRoute('vulnerabilities', 'Vulnerabilities'),
    ...withoutThem,
    withRoute('all-patches', 'All patches'),
  ];
  expect(listOverviewEntries(lists).map(({ label, path }) => [label, path])).toEqual([
    ['Dashboard', '/patch-repository/dashboard'],
    ['All patches', '/patch-repository/all-patches'],
    ['Vulnerabilities', '/patch-repository/vulnerabilities'],
  ]);
});

it('leaves out what a user may not open', () => {
  const labels = (userType: 'Admin' | 'Approver', machineGroups: number[] | null) =>
    sidebarGroups
      .flatMap(({ entries }) => filterEntries(entries, { userType, machineGroups }))
      .map(({ label }) => label);
  expect(labels('Admin', null)).toEqual(expect.arrayContaining(['Rings', 'Users']));
  expect(labels('Approver', null)).toContain('Rings');
  expect(labels('Approver', null)).not.toContain('Users');
  expect(labels('Approver', [1])).not.toContain('Rings');
  expect(labels('Approver', [1])).toContain('Exceptions');
});
