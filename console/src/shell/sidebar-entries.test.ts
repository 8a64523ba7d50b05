import { catalogueLists } from '@patch/catalogue/lists.ts';
import { specified } from '@patch/catalogue/testing/specified.ts';
import { expect, it } from 'vitest';
import { addedEntries, specifiedEntries } from './sidebar-entries.ts';

it('has the specification’s fourteen entries in its order', () => {
  // The specification's names of the entries: two lists are named unlike their product area.
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

it('leads to every list but the home list, which is the logo’s', () => {
  const paths = [...specifiedEntries, ...addedEntries].map(({ path }) => path);
  const routes = catalogueLists.map(({ route }) => route).filter((route) => route !== '');
  expect(paths).toEqual(
    expect.arrayContaining(routes.map((route) => `/patch-repository/${route}`)),
  );
  expect(new Set(paths).size).toBe(paths.length);
});
