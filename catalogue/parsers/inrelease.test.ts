import { createCleartextMessage } from 'openpgp';
import { expect, test } from 'vitest';
import { documentFrom } from '../testing/document-from.ts';
import { createSigner, type Signer, signText } from '../testing/signed-text.ts';
import { readInRelease, releaseDate } from './inrelease.ts';

const url = 'https://example.org/dists/wick-security/InRelease';
const sum = 'a'.repeat(64);
const payload = `Origin: Example
Suite: oldstable-security
Codename: wick
Date: Wed, 04 Jun 2031  9:08:07 UTC
Valid-Until: Wed, 11 Jun 2031 09:08:07 UTC
Acquire-By-Hash: yes
Components: updates/main updates/contrib
MD5Sum:
 ${'b'.repeat(32)}      12 main/binary-amd64/Packages
SHA256:
 ${sum.toUpperCase()}      12 main/binary-amd64/Packages
 ${sum} 7 main/binary-amd64/Packages.xz
SHA512:
 ${'c'.repeat(128)} 7 main/binary-amd64/Packages.gz
`;

const [one, other] = [await createSigner(), await createSigner()];
const signed = (text: string, ...signers: readonly Signer[]) =>
  signText(text, ...signers.map(({ key }) => key));
const armored = (...signers: readonly Signer[]) => signers.map(({ publicKey }) => publicKey);

const read = async (text: string, keys: readonly string[] | null) =>
  readInRelease(documentFrom(url, text), keys);

test('accepts a signature by a pinned key', async () => {
  expect(await read(await signed(payload, one), armored(one))).toEqual({
    suite: 'oldstable-security',
    codename: 'wick',
    date: Date.UTC(2031, 5, 4, 9, 8, 7),
    validUntil: Date.UTC(2031, 5, 11, 9, 8, 7),
    byHash: true,
    files: new Map([
      ['main/binary-amd64/Packages', { sha256: sum, size: 12 }],
      ['main/binary-amd64/Packages.xz', { sha256: sum, size: 7 }],
    ]),
    verified: true,
    remarks: [],
  });
});

test('accepts one good signature of several, in any order', async () => {
  const both = await signed(payload, one, other);
  for (const keys of [armored(one), armored(other), armored(other, one)])
    expect((await read(both, keys)).verified).toBe(true);
});

test('refuses a document without a good signature', async () => {
  await expect(read(await signed(payload, one), armored(other))).rejects.toThrow(
    'none of its signatures is good: Could not find signing key',
  );
  await expect(read(await signed(payload, one), [])).rejects.toThrow(
    'none of its signatures is good',
  );
  await expect(
    read((await signed(payload, one)).replace(sum, 'f'.repeat(64)), armored(one)),
  ).rejects.toThrow('none of its signatures is good: Signed digest did not match');
});

test('ignores text outside of the signature', async () => {
  const text = await signed(payload, one);
  expect((await read(`Codename: other\n\n${text}`, armored(one))).codename).toBe('wick');
  expect((await read(`${text}\n\nCodename: other\n`, armored(one))).codename).toBe('wick');
});

test('requires a signature without a pinned key, and reports that it was not verified', async () => {
  expect(await read(await signed(payload, one), null)).toMatchObject({
    codename: 'wick',
    verified: false,
  });
  await expect(read(payload, null)).rejects.toThrow('it is not a signed message');
  const unsigned = (await createCleartextMessage({ text: payload })).armor();
  await expect(read(unsigned, null)).rejects.toThrow(
    /it (bears no signature|is not a signed message)/,
  );
  await expect(read(unsigned, armored(one))).rejects.toThrow(
    /it (bears no signature|is not a signed message)/,
  );
});

test('refuses a document of another kind', async () => {
  await expect(read('<html>', armored(one))).rejects.toThrow('it is not a signed message');
  await expect(read(await signed('Suite: x\nCodename: y\n', one), armored(one))).rejects.toThrow(
    'it lists no SHA-256 checksums',
  );
});

test.each([
  ['Tue, 06 Feb 2024  7:12:28 UTC', Date.UTC(2024, 1, 6, 7, 12, 28)],
  ['Sun, 09 Oct 2022 19:15:35 GMT', Date.UTC(2022, 9, 9, 19, 15, 35)],
  ['Sun, 9 Oct 2022 09:15:35 +0200', Date.UTC(2022, 9, 9, 7, 15, 35)],
  ['Sun, 09 Oct 2022 09:15 -0330', Date.UTC(2022, 9, 9, 12, 45)],
  ['Sun, 09 Oct 2022 09:15:35 Z', Date.UTC(2022, 9, 9, 9, 15, 35)],
  ['09 October 2022 09:15:35', Date.UTC(2022, 9, 9, 9, 15, 35)],
  ['yesterday', null],
  ['', null],
  [undefined, null],
])('reads the date %j', (written, instant) => {
  expect(releaseDate(written)).toBe(instant);
});
