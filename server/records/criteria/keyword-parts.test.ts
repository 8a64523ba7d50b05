import { getList } from '@patch/catalogue/lists.ts';
import { expect, test } from 'vitest';
import { splitKeyword } from './keyword-parts.ts';
import { readSearch } from './search-request.ts';

const alma = getList('almalinux_patch');
const debian = getList('debian_patch');

const readKeyword = (keyword: string) =>
  readSearch(alma, { offset: 0, size: 25 }, { keyword }).keyword;

test.each([
  ['libssl3 3.0.11-1~deb12u2', ['libssl3 3.0.11-1~deb12u2']],
  ['libssl3:amd64 3.0.11', ['libssl3:amd64 3.0.11']],
  ['linux 6.1', ['linux', '6.1']],
  ['linux linux', ['linux']],
  ['critical libssl3 3.0.11-1~deb12u2', ['critical', 'libssl3', '3.0.11-1~deb12u2']],
  ['"libssl3" 3.0.11-1~deb12u2', ['libssl3', '3.0.11-1~deb12u2']],
])('splits the keyword %s into %j', (keyword, parts) => {
  expect(splitKeyword(debian, keyword).map(({ text }) => text)).toEqual(parts);
});

test.each([
  ['libssl3 3.0.11-1', 'libssl3'],
  ['libssl3=3.0.11', 'libssl3'],
  ['"libssl3=3.0.11"', 'libssl3'],
  ['"openssl 10"', undefined],
  ['"libssl3 3.0.11-1"', undefined],
])('reads the package of %s as %s', (keyword, name) => {
  expect(splitKeyword(debian, keyword)[0]?.pasted?.name).toBe(name);
});

test('folds a keyword and separates its terms by one blank', () => {
  expect(readKeyword(' Security   ZLIB ')).toBe('security zlib');
  expect(readKeyword('""')).toBe('');
});
