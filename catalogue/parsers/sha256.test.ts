import { expect, test } from 'vitest';
import { sha256, sha256Base64Url, sha256Hex } from './sha256.ts';

/** The example of FIPS 180-2. */
const ofAbc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

test('hashes text and bytes alike, in each form', () => {
  expect(sha256Hex('abc')).toBe(ofAbc);
  expect(sha256Hex(new Uint8Array([0x61, 0x62, 0x63]))).toBe(ofAbc);
  expect(sha256('abc')).toEqual(Buffer.from(ofAbc, 'hex'));
  expect(sha256Base64Url('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
});

test('reads text as UTF-8', () => {
  expect(sha256Hex('é')).toBe(sha256Hex(new Uint8Array([0xc3, 0xa9])));
});
