import { expect, test } from 'vitest';
import { fileSize } from './file-size.ts';

test.each([
  [0, '0.00 KB'],
  [1536, '1.50 KB'],
  [1_048_575, '1024.00 KB'],
  [1_048_576, '1.00 MB'],
  [734_003_200, '700.00 MB'],
  [1_073_741_824, '1.00 GB'],
  [5_905_580_032, '5.50 GB'],
])('%i bytes read %s', (bytes, words) => {
  expect(fileSize(bytes)).toBe(words);
});
