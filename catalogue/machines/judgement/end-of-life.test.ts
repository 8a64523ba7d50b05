/** Compares ends of support with the vendors' own tables. */
import { expect, test } from 'vitest';
import type { Machine } from '../machine.ts';
import { endOfLife } from './end-of-life.ts';
import { editionAdvice } from './windows-support.ts';

const machine = (given: Partial<Machine>): Machine => ({
  platform: 'linux',
  distribution: null,
  release: null,
  architecture: 'x86_64',
  kernel: null,
  build: null,
  packages: [],
  kbs: [],
  applications: [],
  ...given,
});

const findEndDay = (given: Partial<Machine>) => {
  const ended = endOfLife(machine(given));
  return ended === null ? null : new Date(ended).toISOString().slice(0, 10);
};

test.each([
  ['almalinux', '8.9', '2029-06-01'],
  ['amzn', '2', '2026-06-30'],
  ['centos', '6', '2020-11-30'],
  ['centos', '8', '2021-12-31'],
  ['centos-stream', '8', '2024-05-31'],
  ['centos-stream', '9', '2027-05-31'],
  ['ol', '7.9', '2024-12-31'],
  ['opensuse-leap', '15.3', '2022-12-31'],
  ['opensuse-leap', '15.7', null],
  ['rocky', '8.4', '2029-05-31'],
  ['pardus', '21', null],
  ['debian', '11', '2026-08-31'],
  ['centos', '7.7.1908', '2024-06-30'],
  ['debian', '9', '2022-06-30'],
  ['ubuntu', '14.04', '2019-04-25'],
  ['ubuntu', '22.04', '2027-06-01'],
  ['constructor', '1', null],
  ['ubuntu', 'constructor', null],
])('%s %s ends on %s', (distribution, release, day) => {
  expect(findEndDay({ distribution, release })).toBe(day);
});

test.each([
  ['Microsoft Windows 11 Pro', '10.0.22631.6491', '2025-11-11'],
  ['Microsoft Windows 11 Enterprise', '10.0.22631', '2026-11-10'],
  ['Microsoft Windows 10 Enterprise LTSC', '10.0.17763', '2029-01-09'],
  ['Microsoft Windows 10 Pro', '10.0.17763', '2020-11-10'],
  ['Microsoft Windows Server 2019 Standard', '10.0.17763.6054', '2029-01-09'],
  ['Microsoft Windows Server 2012 R2 Standard', '6.3.9600', '2023-10-10'],
  ['Microsoft Windows Server 2025 Standard', '10.0.26100', null],
  ['Microsoft Windows 7 Entreprise N', '6.1.7601', '2020-01-14'],
  ['Microsoft Windows 11 Professionnel', '10.0.22631', '2025-11-11'],
  ['Microsoft Windows 11 Famille', '10.0.22631', '2025-11-11'],
  ['Microsoft Windows 11 Entreprise', '10.0.22631', '2026-11-10'],
  ['Microsoft Windows 11 专业版', '10.0.22631', '2025-11-11'],
  ['Microsoft Windows 11 家庭中文版', '10.0.22631', '2025-11-11'],
  ['Microsoft Windows 11 企业版', '10.0.22631', '2026-11-10'],
  ['Microsoft Windows 10 企业版 LTSC', '10.0.17763', '2029-01-09'],
  ['Майкрософт Windows 11 Домашняя для одного языка', '10.0.22631', '2025-11-11'],
  ['Майкрософт Windows 11 Корпоративная', '10.0.22631', '2026-11-10'],
  ['Microsoft Windows Server 2022 Datacenter', '10.0.25398.1551', '2025-10-24'],
])('%s %s ends on %s', (distribution, build, day) => {
  expect(findEndDay({ platform: 'windows', distribution, build })).toBe(day);
});

test.each([
  ['Microsoft Windows 11 Zuhause', '10.0.22631', '2026-01-01', ['noEdition']],
  ['Microsoft Windows 11 Zuhause', '10.0.22631', '2025-11-10', []],
  ['Microsoft Windows 11 Pro', '10.0.22631', '2026-01-01', []],
  ['Microsoft Windows 11 Enterprise', '10.0.22631', '2026-01-01', []],
  ['Microsoft Windows 11 Zuhause', '10.0.22631', '2026-12-01', []],
  ['Microsoft Windows 10 Zuhause', '10.0.19045', '2026-01-01', []],
  ['Microsoft Windows Server 2022 Standard', '10.0.20348', '2026-01-01', []],
])('says of %s %s on %s whether the edition is shown', (distribution, build, day, kinds) => {
  const advice = editionAdvice({ distribution, build, architecture: null }, Date.parse(day));
  expect(advice.map(({ kind }) => kind)).toEqual(kinds);
  for (const { text } of advice) expect(text).toContain('2025-11-11');
});

test('uses the last end when the name does not state the edition', () => {
  expect(findEndDay({ platform: 'windows', distribution: null, build: '10.0.22631' })).toBe(
    '2026-11-10',
  );
});

test('returns null for macOS, whose releases have no announced end', () => {
  expect(findEndDay({ platform: 'macos', distribution: 'macOS', release: '12.7.6' })).toBeNull();
});
