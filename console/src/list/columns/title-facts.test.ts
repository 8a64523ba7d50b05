import { getList } from '@patch/catalogue/lists.ts';
import { expect, test } from 'vitest';
import { buildTitleFacts, joinNames } from './title-facts.ts';

test.each([
  [['AlmaLinux 9'], 'AlmaLinux 9'],
  [['openSUSE Leap 15.5', 'openSUSE Leap 15.6'], 'openSUSE Leap 15.5, 15.6'],
  [['Oracle Linux 7', 'Oracle Linux 8', 'Oracle Linux 9'], 'Oracle Linux 7, 8 +1'],
  [['Leap 15.6', 'Tumbleweed'], 'Leap 15.6, Tumbleweed'],
  [['9', '9'], '9, 9'],
])('joins %j as %s', (names, text) => {
  expect(joinNames(names)).toBe(text);
});

test('returns the release of an erratum unless it is a column', () => {
  const list = getList('almalinux_patch');
  const row = { id: 1, osVersion: ['AlmaLinux 8', 'AlmaLinux 9'] };
  expect(buildTitleFacts(list, row, list.columns, 'UTC')).toEqual([
    {
      name: 'osVersion',
      label: 'OS version',
      isVersion: false,
      text: 'AlmaLinux 8, 9',
      full: 'AlmaLinux 8, AlmaLinux 9',
    },
  ]);
  expect(buildTitleFacts(list, row, [...list.columns, 'osVersion'], 'UTC')).toEqual([]);
  expect(buildTitleFacts(list, { id: 1, osVersion: [] }, list.columns, 'UTC')).toEqual([]);
});

test('returns the same day of a Debian advisory in every time zone', () => {
  const list = getList('debian_patch');
  const row = { id: 1, releaseDate: Date.UTC(2024, 0, 31) };
  for (const zone of ['America/Los_Angeles', 'Europe/Istanbul', 'Pacific/Auckland'])
    expect(buildTitleFacts(list, row, list.columns, zone)[0]?.text).toBe('Jan 31, 2024');
});

test('returns the version of macOS unless the title contains it', () => {
  const list = getList('macos_patch');
  const facts = (title: string, version: string) =>
    buildTitleFacts(list, { id: 1, title, version }, list.columns, 'UTC').map(({ text }) => text);
  expect(facts('macOS Tahoe', '26.4.1')).toEqual(['26.4.1']);
  expect(facts('macOS 26.3.1 (a)', '26.3.1 (a)')).toEqual([]);
});
