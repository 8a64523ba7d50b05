import { listOfKey } from '@patch/catalogue/lists.ts';
import { expect, test } from 'vitest';
import { keywordParts } from '../criteria/keyword-parts.ts';
import { readSearch } from '../criteria/search-request.ts';
import { selectivePattern } from './keyword-sql.ts';

const alma = listOfKey('almalinux_patch');
const debian = listOfKey('debian_patch');

const search = (keyword: string, filter = '') =>
  readSearch(alma, { offset: 0, size: 25 }, { keyword, filter });

/** Every record is a security update, one in ten of zlib, all of the year 2022. */
const sample = {
  listed: 1_000_000,
  widths: new Map<string, number>(),
  keywords: Array.from(
    { length: 300 },
    (_, n) => `security update\n${n % 10 === 0 ? 'zlib' : 'other'}\nalsa-2022:${1000 + n}`,
  ),
};

test.each([
  ['security zlib', '%zlib%'],
  ['zlib security', '%zlib%'],
  ['2022 zlib', '%zlib%'],
  ['security alsa-2022:1007', '%1007%'],
  ['"security update" ab', '%security update%'],
  ['ab cd', null],
])('the index of words is asked for the rarest term of %s', (keyword, pattern) => {
  expect(selectivePattern(search(keyword), sample)).toBe(pattern);
});

test('a condition on a text may be rarer than the keyword', () => {
  expect(selectivePattern(search('security', "lower(title) like '%zlib%'"), sample)).toBe('%zlib%');
});

test('a word that every record has is passed over', () => {
  const everywhere = { ...sample, keywords: sample.keywords.map((one) => `${one}\nzlib`) };
  expect(selectivePattern(search('zlib 1007'), everywhere)).toBe('%1007%');
});

test.each([
  ['libssl3 3.0.11-1~deb12u2', ['libssl3 3.0.11-1~deb12u2']],
  ['libssl3:amd64 3.0.11', ['libssl3:amd64 3.0.11']],
  ['linux 6.1', ['linux', '6.1']],
  ['linux linux', ['linux']],
  ['critical libssl3 3.0.11-1~deb12u2', ['critical', 'libssl3', '3.0.11-1~deb12u2']],
  ['"libssl3" 3.0.11-1~deb12u2', ['libssl3', '3.0.11-1~deb12u2']],
])('of %s the parts are %j', (keyword, parts) => {
  expect(keywordParts(debian, keyword)).toEqual(parts);
});

test('a keyword is folded, and its terms are separated by one blank', () => {
  expect(search(' Security   ZLIB ').keyword).toBe('security zlib');
  expect(search('""').keyword).toBe('');
});
