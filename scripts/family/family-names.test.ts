import { expect, test } from 'vitest';
import { FamilyError, familyNames, pathsOf } from './family-names.ts';

test('names follow from one word and a label', () => {
  expect(
    familyNames({
      name: 'candlelinux',
      label: 'Candle Linux',
      address: 'https://repo.candle.example/base/',
    }),
  ).toEqual({
    name: 'candlelinux',
    label: 'Candle Linux',
    source: 'candleLinux',
    key: 'candlelinux_patch',
    address: 'https://repo.candle.example/base/',
  });
  expect(familyNames({ name: 'candle' })).toMatchObject({
    label: 'Candle',
    source: 'candle',
    address: 'https://candle.example/',
  });
});

test('addresses of lists have letters and hyphens alone', () => {
  expect(pathsOf({ name: 'candle9' })).toEqual({
    route: 'candle-nine-patch',
    searchPath: '/linux/candle-nine/search',
    detailPath: '/linux/candle-nine/{id}',
  });
});

test.each([
  [{ name: undefined }, /'' is no name for a family: up to 24 small letters and digits/],
  [{ name: 'Candle Linux' }, /'Candle Linux' is no name for a family/],
  [{ name: '9candle' }, /beginning with a letter, such as amazonlinux/],
  [{ name: 'a'.repeat(25) }, /is no name for a family: up to 24/],
  [{ name: '../candle' }, /is no name for a family/],
  [{ name: 'all' }, /not all or id/],
  [{ name: 'constructor' }, /is no name for a family/],
  [{ name: 'debian' }, /There is a family 'debian' already: choose another name or label/],
  [{ name: 'candle', label: 'Debian' }, /There is a source 'debian' already/],
  [
    { name: 'candle', label: 'Microsoft Windows' },
    /There is a source called 'Microsoft Windows' already/,
  ],
  [{ name: 'candle', label: 'AlmaLINUX' }, /There is a source 'almaLinux' already/],
  [
    { name: 'candle', label: 'Candle\nLinux' },
    /is no label: up to 40 letters, digits, spaces, dots and hyphens/,
  ],
  [{ name: 'candle', label: "Candle's" }, /is no label/],
  [{ name: 'candle', label: 'Id' }, /is no label/],
  [
    { name: 'candle', address: 'http://candle.example/' },
    /is no address of a publication: https, a slash at its end/,
  ],
  [{ name: 'candle', address: 'https://candle.example/x' }, /is no address of a publication/],
  [{ name: 'candle', address: 'https://me:secret@candle.example/' }, /no password or query/],
  [{ name: 'candle', address: "https://candle.example/it's/" }, /is no address of a publication/],
  [{ name: 'candle', address: 'candle' }, /is no address of a publication/],
])('%j is refused with what is allowed', (asked, told) => {
  expect(() => familyNames(asked)).toThrow(FamilyError);
  expect(() => familyNames(asked)).toThrow(told);
});
