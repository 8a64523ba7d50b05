import { getList } from '@patch/catalogue/lists.ts';
import { almalinuxList } from '@patch/catalogue/vendors/almalinux/almalinux-list.ts';
import { windowsKbList } from '@patch/catalogue/vendors/windows/lists/windows-kb-list.ts';
import { expect, test } from 'vitest';
import { getPackageWords, maxPackageCharacters, storedRow } from './stored-row.ts';

const errata = getList(almalinuxList.key);
const buildPackage = (
  name: string,
  version: string | null,
  sourcePackage: string | null = null,
) => ({
  name,
  version,
  sourcePackage,
});

test('returns names, versions without the epoch and source packages, each once and folded', () => {
  const packages = [
    buildPackage('openssl-libs', '1:1.1.1k-12.el8_9', 'openssl-1.1.1k-12.el8_9.src.rpm'),
    buildPackage('openssl-devel', '1:1.1.1k-12.el8_9', 'openssl-1.1.1k-12.el8_9.src.rpm'),
    buildPackage('Candle', null, 'no source package'),
  ];
  expect(getPackageWords(errata, { packages }, new Set())).toEqual([
    'openssl-libs',
    '1.1.1k-12.el8_9',
    'openssl',
    'openssl-devel',
    'candle',
  ]);
  expect(getPackageWords(errata, { packages }, new Set(['openssl-libs', 'candle']))).toEqual([
    '1.1.1k-12.el8_9',
    'openssl',
    'openssl-devel',
  ]);
});

test('returns nothing for a list without packages or a record without any', () => {
  expect(
    getPackageWords(
      getList(windowsKbList.key),
      { packages: [buildPackage('a', '1-1')] },
      new Set(),
    ),
  ).toEqual([]);
  expect(getPackageWords(errata, {}, new Set())).toEqual([]);
});

test('stops at the limit of characters', () => {
  const packages = Array.from({ length: 5000 }, (_, number) =>
    buildPackage(`texlive-${number}`, `svn${number}-1.el9`),
  );
  const words = getPackageWords(errata, { packages }, new Set());
  expect(words.slice(0, 2)).toEqual(['texlive-0', 'svn0-1.el9']);
  expect(words.join('\n').length).toBeLessThanOrEqual(maxPackageCharacters);
  expect(words.join('\n').length).toBeGreaterThan(maxPackageCharacters - 20);
});

test('stores the words that no other column has, each once', () => {
  const row = { bulletinId: 'ALSA-2024:1', binaryPkgName: ['openssl-libs', 'openssl'] };
  const detail = {
    packages: [
      buildPackage('openssl-libs', '1:1.1.1k-12.el8_9', 'openssl-1.1.1k-12.el8_9.src.rpm'),
    ],
    cve: ['CVE-2024-1'],
  };
  expect(storedRow(errata, row, detail)['keyword']).toBe('cve-2024-1\n1.1.1k-12.el8_9');
});
