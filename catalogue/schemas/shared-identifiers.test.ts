import { expect, test } from 'vitest';
import {
  listIdentifierPages,
  listSpellings,
  parseSharedIdentifier,
  parseTypedIdentifier,
} from './shared-identifiers.ts';

test.each([
  ['CVE-2024-3094', 'CVE-2024-3094'],
  [' cve-2024-20666 ', 'CVE-2024-20666'],
  ['kb5034441', 'KB5034441'],
  ['5034441', null],
  ['CVE-2024-309', null],
  ['KB1', null],
  ['see CVE-2024-3094', null],
  ['ALSA-2024:1691', null],
  ['', null],
])('parses %j as %s', (words, identifier) => {
  expect(parseSharedIdentifier(words)).toBe(identifier);
});

test('accepts a KB that a person types without its letters', () => {
  for (const typed of ['5034441', 'KB 5034441', ' kb-5034441'])
    expect(parseTypedIdentifier(typed)).toBe('KB5034441');
  expect(parseTypedIdentifier('cve-2024-3094')).toBe('CVE-2024-3094');
  for (const invalid of ['9', '1234', 'openssl', 'ELSA-2024-1234'])
    expect(parseTypedIdentifier(invalid)).toBeNull();
});

test('lists the spellings that publications use', () => {
  expect(listSpellings('KB5034441')).toEqual(['kb5034441', '5034441']);
  expect(listSpellings('CVE-2024-3094')).toEqual(['cve-2024-3094']);
  expect(listSpellings('openSUSE-SU-2024:1')).toEqual(['opensuse-su-2024:1']);
});

test('links to the public pages about an identifier', () => {
  expect(listIdentifierPages('CVE-2024-3094').map(({ address }) => address)).toEqual([
    'https://www.cve.org/CVERecord?id=CVE-2024-3094',
    'https://nvd.nist.gov/vuln/detail/CVE-2024-3094',
  ]);
  expect(listIdentifierPages('KB5034441')[0]?.address).toBe(
    'https://support.microsoft.com/help/5034441',
  );
  expect(listIdentifierPages('openssl')).toEqual([]);
  expect(listIdentifierPages('CVE-x"')).toEqual([]);
});
