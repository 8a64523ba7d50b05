import { getList } from '@patch/catalogue/lists.ts';
import type { WireDetail } from '@patch/contract/base/row-schema.ts';
import { expect, test } from 'vitest';
import { readChain } from './chain-of-record.ts';
import { findShownElsewhere } from './shown-elsewhere.ts';

const find = (key: Parameters<typeof getList>[0], record: object) => {
  const list = getList(key);
  const shown = { id: 1, ...record } as unknown as WireDetail;
  return [...findShownElsewhere(list, shown, readChain(list, shown))];
};

test('names what the heading shows: severity, date, and the link to the vendor', () => {
  const shown = find('almalinux_patch', {
    bulletinId: 'ALSA-2024:1',
    severity: 'Important',
    releaseDate: 1,
    referenceLink: 'https://errata.almalinux.org/9/ALSA-2024-1.html',
  });
  expect(shown).toEqual(expect.arrayContaining(['severity', 'releaseDate', 'referenceLink']));
});

test('does not name a field of the heading without a value', () => {
  expect(find('almalinux_patch', { bulletinId: 'ALSA-2024:1' })).not.toContain('releaseDate');
});

test('names the packages only when their table has all of them', () => {
  const packages = [{ name: 'bash' }, { name: 'bash-doc' }];
  expect(find('almalinux_patch', { binaryPkgName: ['bash'], packages })).toContain('binaryPkgName');
  expect(find('almalinux_patch', { binaryPkgName: ['bash', 'zsh'], packages })).not.toContain(
    'binaryPkgName',
  );
});

test('names how to install the record itself, not what is installed instead', () => {
  const facts = { fixedBuild: ['10.0.1'], size: 5, restartBehaviour: 'Required' };
  const kb = { kbId: 'KB5000100', productName: 'Windows 11', superseded: false, ...facts };
  expect(find('patch_repository', kb)).toEqual(expect.arrayContaining(Object.keys(facts)));
  const replaced = find('patch_repository', { ...kb, superseded: true });
  for (const name of Object.keys(facts)) expect(replaced).not.toContain(name);
});

test('names the updates that the chain draws', () => {
  const kb = {
    kbId: 'KB5000100',
    supersedes: ['KB5000099'],
    supersedence: [{ kbId: 'KB5000099', relation: 'Replaced directly' }],
  };
  expect(find('patch_repository', kb)).toContain('supersedes');
  expect(find('patch_repository', { ...kb, supersedes: ['KB5000098'] })).not.toContain(
    'supersedes',
  );
});

test('names the version of a record that is called by its name', () => {
  expect(find('thirdparty_patch', { name: '7-Zip', version: '26.00' })).toContain('version');
  expect(find('linux_patch_repository', { title: 'bash' })).not.toContain('version');
});
