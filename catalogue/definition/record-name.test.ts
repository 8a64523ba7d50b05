/** What people call a record, on lists whose records have an identifier and on those called by their name. */
import { expect, it } from 'vitest';
import { getList } from '../lists.ts';
import { recordName } from './record-name.ts';

const macos = getList('macos_patch');
const alma = getList('almalinux_patch');
const packages = getList('linux_patch_repository');

it('tells releases with the same name apart by their version', () => {
  const names = ['14.6.1', '14.7', '14.7.1'].map((version) =>
    recordName(macos, { title: 'macOS Sonoma', version, productKey: '042-1' }),
  );
  expect(names).toEqual(['macOS Sonoma 14.6.1', 'macOS Sonoma 14.7', 'macOS Sonoma 14.7.1']);
});

it.each([
  [{ title: 'macOS Sonoma 14.6.1', version: '14.6.1' }, 'macOS Sonoma 14.6.1'],
  [{ title: 'macOS Sonoma', version: null }, 'macOS Sonoma'],
  [{ title: 'macOS Sonoma', version: '' }, 'macOS Sonoma'],
  [{ title: null, version: '14.6.1', productKey: '042-1' }, '042-1'],
])('names %o without a version that is stated or missing', (record, name) => {
  expect(recordName(macos, record)).toBe(name);
});

it('calls a record with an identifier by it alone', () => {
  const record = { bulletinId: 'ALSA-2024:1', title: 'openssl security update', version: '3.2' };
  expect(recordName(alma, record)).toBe('ALSA-2024:1');
});

it('names nothing when no identity has a value', () => {
  expect(recordName(alma, { title: '', bulletinId: null })).toBeUndefined();
});

it('orders packages by their release date, newest first', () => {
  expect(packages.opens).toBeUndefined();
  expect(packages.defaultSort).toBe('-releaseDate');
  expect(packages.columns).toContain('releaseDate');
});

it('names the suites of an archive by release, with the pocket as a detail', () => {
  expect(packages.fields['distribution']?.words).toMatchObject({
    'jammy-updates': 'Ubuntu 22.04 LTS (updates)',
    'stonking-security': 'Ubuntu 26.10 (security)',
    noble: 'Ubuntu 24.04 LTS',
  });
});
