/** File names of CSAF documents. */
import { expect, test } from 'vitest';
import { csafFileName } from './csaf-file-name.ts';

test.each([
  ['ALSA-2024:1517', 'alsa-2024_1517.json'],
  ['snapcast 0.23.0+dfsg1-1', 'snapcast_0_23_0+dfsg1-1.json'],
  ['A (b): ç.1', 'a_b_1.json'],
])('writes the file name of %s as the standard says', (id, name) => {
  expect(csafFileName(id)).toBe(name);
});
