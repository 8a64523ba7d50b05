import { catalogueLists } from '@patch/catalogue/lists.ts';
import { expect, it } from 'vitest';
import { addedEntries, specifiedEntries } from './sidebar-entries.ts';

it('has the specification’s fourteen entries in its order', () => {
  expect(specifiedEntries.map(({ path }) => path.replace('/patch-repository/', ''))).toEqual([
    'kb-base',
    'linux-notice',
    'centos-patch',
    'opensuse-patch',
    'almalinux-patch',
    'rockylinux-patch',
    'thirdparty-patch',
    'debian-patch',
    'pardus-patch',
    'macos-patch',
    'oraclelinux-patch',
    'patch-list',
    'floto-user',
    'configuration',
  ]);
});

it('leads to every list but the home list, which is the logo’s', () => {
  const paths = [...specifiedEntries, ...addedEntries].map(({ path }) => path);
  const routes = catalogueLists.map(({ route }) => route).filter((route) => route !== '');
  expect(paths).toEqual(expect.arrayContaining(routes.map((route) => `/patch-repository/${route}`)));
  expect(new Set(paths).size).toBe(paths.length);
});
