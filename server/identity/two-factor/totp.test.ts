import { expect, test } from 'vitest';
import { base32, findTotpStep, otpauthUri, stepAt, totpAtStep } from './totp.ts';

const secret = Buffer.from('12345678901234567890');

// RFC 6238, appendix B: the column of SHA-1, of whose eight digits six are shown.
test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('computes after %i seconds the code %s of RFC 6238', (seconds, eight) => {
  expect(totpAtStep(secret, stepAt(seconds * 1000))).toBe(eight.slice(2));
});

// RFC 4226, appendix D.
test('computes the first ten codes of RFC 4226', () => {
  const codes = Array.from({ length: 10 }, (_, step) => totpAtStep(secret, step));
  expect(codes.join(' ')).toBe(
    '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489',
  );
});

test('accepts a code in its 30 seconds, those before and those after', () => {
  const code = totpAtStep(secret, 100);
  expect([98, 99, 100, 101, 102].map((step) => findTotpStep(secret, code, step * 30_000))).toEqual([
    null,
    100,
    100,
    100,
    null,
  ]);
  expect(findTotpStep(secret, code, 102 * 30_000 - 1)).toBe(100);
  expect(findTotpStep(secret, totpAtStep(secret, 0), 0)).toBe(0);
  for (const other of ['', '1', '0000000', 'abcdef', `${code} `, '１２３４５６'])
    expect(findTotpStep(secret, other, 3_000_000)).toBeNull();
});

// RFC 4648, section 10.
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('RFC 4648: %j is %j', (text, letters) => expect(base32(Buffer.from(text))).toBe(letters));

test('puts issuer and account into the address for scanning', () => {
  const uri = new URL(otpauthUri(secret, 'jane & joe'));
  expect(uri.href).toContain('otpauth://totp/Patch%20Repository:jane%20%26%20joe?');
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    issuer: 'Patch Repository',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
