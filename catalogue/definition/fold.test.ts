import { expect, test } from 'vitest';
import { fold } from './fold.ts';

test.each([
  ['OpenSSL', 'openssl'],
  ['Cafe\u0301', 'caf\u00e9'],
  ['ÄÖÜ', 'äöü'],
  ['Ω', 'ω'],
  ['100%_\\', '100%_\\'],
])('%s is compared as %s', (text, folded) => {
  expect(fold(text)).toBe(folded);
});
