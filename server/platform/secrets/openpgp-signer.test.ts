import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMessage, readKey, readSignature, unarmor, verify } from 'openpgp';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { openPgpSigner } from './openpgp-signer.ts';

const released = Date.UTC(2026, 2, 1, 10, 20, 30, 400);

const hasGpgv = (() => {
  try {
    execFileSync('gpgv', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** A number is written without its leading zeros, and with the count of its bits. */
const seeds = [
  ['32 random bytes', randomBytes(32)],
  ['leading zero bytes', Buffer.concat([Buffer.alloc(2), randomBytes(30)])],
  ['a small first byte', Buffer.concat([Buffer.from([1]), randomBytes(31)])],
  ['high bytes alone', Buffer.alloc(32, 255)],
] as const;

test.each(seeds)('signs so that the library verifies it, by a key of %s', async (_, seed) => {
  const signer = await openPgpSigner(seed, 'Example');
  const key = await readKey({ armoredKey: signer.publicKey });
  expect(key.getFingerprint()).toBe(signer.fingerprint);
  expect(key.getUserIDs()).toEqual(['Example']);
  const bytes = randomBytes(10_000);
  const armored = await signer.sign(bytes, released);
  const isSigned = async (binary: Uint8Array) => {
    const { signatures } = await verify({
      message: await createMessage({ binary }),
      signature: await readSignature({ armoredSignature: armored }),
      verificationKeys: key,
    });
    return signatures[0]?.verified.catch(() => false);
  };
  expect(await isSigned(bytes)).toBe(true);
  bytes[5000] = 255 - (bytes[5000] ?? 0);
  expect(await isSigned(bytes)).toBe(false);
});

test.runIf(hasGpgv)('signs so that GnuPG verifies it', async () => {
  const folder = temporaryFolder(onTestFinished);
  for (const [name, seed] of seeds) {
    const signer = await openPgpSigner(seed, 'Example');
    const files = Object.fromEntries(
      ['key.gpg', 'text', 'text.asc'].map((file) => [file, join(folder, file)]),
    ) as Record<'key.gpg' | 'text' | 'text.asc', string>;
    const { data } = await unarmor(signer.publicKey);
    writeFileSync(files['key.gpg'], data as Uint8Array);
    writeFileSync(files.text, 'a document');
    writeFileSync(files['text.asc'], await signer.sign(Buffer.from('a document'), released));
    const gpgv = () =>
      execFileSync(
        'gpgv',
        ['--status-fd', '1', '--keyring', files['key.gpg'], files['text.asc'], files.text],
        { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
      );
    expect(gpgv(), name).toContain(`VALIDSIG ${signer.fingerprint.toUpperCase()} 2026-03-01`);
    writeFileSync(files.text, 'another document');
    expect(gpgv, name).toThrow('Command failed');
  }
});

test('has the same key and the same signature again when seed, bytes and time are the same', async () => {
  const seed = randomBytes(32);
  const [a, b] = [await openPgpSigner(seed, 'Example'), await openPgpSigner(seed, 'Example')];
  expect(b.publicKey).toBe(a.publicKey);
  const bytes = Buffer.from('a document');
  expect(await b.sign(bytes, released)).toBe(await a.sign(bytes, released));
  expect(await b.sign(bytes, released + 1000)).not.toBe(await a.sign(bytes, released));
  const other = await openPgpSigner(randomBytes(32), 'Example');
  expect(other.fingerprint).not.toBe(a.fingerprint);
});

test('never signs before the key was created', async () => {
  const signer = await openPgpSigner(randomBytes(32), 'Example');
  const key = await readKey({ armoredKey: signer.publicKey });
  const { signatures } = await verify({
    message: await createMessage({ binary: Buffer.from('a') }),
    signature: await readSignature({ armoredSignature: await signer.sign(Buffer.from('a'), 0) }),
    verificationKeys: key,
  });
  expect(await signatures[0]?.verified).toBe(true);
  const packets = (await signatures[0]?.signature)?.packets;
  expect(packets?.[0]?.created).toEqual(key.getCreationTime());
});
