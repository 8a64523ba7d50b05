import { specified } from '@patch/catalogue/testing/specified.ts';
import { expect, test } from 'vitest';
import { fileSize } from './file-size.ts';

const { kb, mb, gb } = specified.fileSizes;

test.each([
  [0, '0.00 kb'],
  [kb, '1.00 kb'],
  [1.5 * kb, '1.50 kb'],
  [mb - 1, '1024.00 kb'],
  [mb, '1.00 mb'],
  [700 * mb, '700.00 mb'],
  [gb - 1, '1024.00 mb'],
  [gb, '1.00 gb'],
  [5.5 * gb, '5.50 gb'],
  [5000 * gb, '5000.00 gb'],
])('formats %i bytes as %s', (bytes, words) => {
  // The specification fixes the units, but not their capitalisation.
  expect(fileSize(bytes).toLowerCase()).toBe(words);
});

test('uses the specified number of decimals', () => {
  expect(fileSize(1.239 * mb)).toBe(`${(1.239).toFixed(specified.fileSizeDecimals)} MB`);
});
