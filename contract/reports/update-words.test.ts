import { expect, test } from 'vitest';
import { describeSeverity, listMarks, nameProducts, readUpdateWords } from './update-words.ts';

test.each([
  ['by its identifier', { list: 'debian_patch', identifier: 'DSA-1' }, 'DSA-1', 'A fix'],
  ['as a system by its title', { list: 'macos_patch', identifier: '122-1' }, 'A fix', null],
  ['as an application by its title', { list: 'thirdparty_patch', identifier: 'u' }, 'A fix', null],
  ['by its title without an identifier', { list: 'debian_patch' }, 'A fix', null],
  ['by its identifier without a title', { identifier: 'DSA-1', title: null }, 'DSA-1', null],
  ['by its number without both', { title: null }, 'Record 7', null],
])('names an update %s', (_way, row, name, title) => {
  expect(readUpdateWords({ id: 7, title: 'A fix', ...row })).toMatchObject({ name, title });
});

test.each([
  ['Critical', 'Critical', 'Critical'],
  ['Unspecified', 'Important', 'Important by CVSS'],
  [null, 'Low', 'Low by CVSS'],
  ['Unspecified', 'Unspecified', 'severity not stated'],
  [null, null, 'severity not stated'],
])('rates the severity %s with %s as %s', (severity, ratedSeverity, words) => {
  expect(describeSeverity(readUpdateWords({ id: 7, severity, ratedSeverity }))).toBe(words);
});

test('marks what makes an update urgent, and what speaks against it', () => {
  const row = { id: 7, exploited: true, ransomware: true, superseded: true };
  const marks = listMarks({ row, publiclyKnown: true, install: 'KB9' });
  expect(marks.map(({ text, tone }) => `${text}: ${tone}`)).toEqual([
    'exploited: danger',
    'ransomware: danger',
    'publicly known: warning',
    'superseded: quiet',
    'install KB9: warning',
  ]);
  const unknown = { id: 7, exploited: null, ransomware: false, superseded: null };
  expect(listMarks({ row: unknown, publiclyKnown: null, install: null })).toEqual([]);
});

test('names products, or says that none is named', () => {
  expect(nameProducts(['Debian 12', 'Debian 13'])).toBe('Debian 12; Debian 13');
  expect(nameProducts([])).toBe('Updates that name no product');
});
