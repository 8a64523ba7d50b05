import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fold } from './fold.ts';

test.each([
  ['OpenSSL', 'openssl'],
  ['Cafe\u0301', 'caf\u00e9'],
  ['ÄÖÜ', 'äöü'],
  ['Ω', 'ω'],
  ['100%_\\', '100%_\\'],
])('folds %s to %s', (text, folded) => {
  expect(fold(text)).toBe(folded);
});

test.each([
  ['İSTANBUL ŞUBESİ', 'İstanbul şubesi'],
  ['ISTANBUL', 'istanbul'],
  ['istanbul', 'İstanbul'],
  ['IŞIK', 'Işık'],
  ['GÜVENLİK', 'Güvenlik'],
  ['STRASSE', 'Straße'],
  ['STRAẞE', 'Straße'],
  ['ΟΔΟΣ', 'οδος'],
  ['ﬁle', 'FILE'],
])('folds %s and %s to the same text', (a, b) => {
  expect(fold(a)).toBe(fold(b));
});

test('leaves folded text unchanged', () => {
  const letters = fc.constantFrom('i', 'İ', 'ı', '\u0307', '\u0323', 'ß', 'ẞ', 'ς', 'ſ', 'ﬃ', 'a');
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: letters }));
  fc.assert(
    fc.property(text, (any) => {
      expect(fold(fold(any))).toBe(fold(any));
    }),
  );
});
