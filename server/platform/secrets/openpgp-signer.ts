/** Creates OpenPGP signatures (RFC 4880) with an Ed25519 key. The library is loaded with the first key. */
import { ed25519Key } from './service-signer.ts';

export interface OpenPgpSigner {
  /** In hexadecimal. */
  readonly fingerprint: string;
  /** Armored. */
  readonly publicKey: string;
  /**
   * Returns an armored detached signature, the same for the same bytes and time.
   * @param time - When the bytes were released, epoch milliseconds.
   */
  sign(bytes: Uint8Array, time: number): Promise<string>;
}

/** A key has the same fingerprint in all processes and after a restore: its creation time is a part of it. No signature is older. */
const createdTime = Date.UTC(2026, 0, 1);

/** The number of EdDSA and the identifier of its curve in OpenPGP, in the form that GnuPG 2.1 and later verify. */
const algorithm = Buffer.from([22, 9, 0x2b, 0x06, 0x01, 0x04, 0x01, 0xda, 0x47, 0x0f, 0x01]);

/** @param seed - 32 bytes: the private key. */
export async function openPgpSigner(seed: Uint8Array, name: string): Promise<OpenPgpSigner> {
  const { createMessage, readPrivateKey, reformatKey, sign } = await import('openpgp');
  // Without a random part, equal bytes have equal signatures.
  const config = { nonDeterministicSignaturesViaNotation: false };
  const { privateKey, publicKey } = await reformatKey({
    privateKey: await readPrivateKey({ binaryKey: secretKeyPacket(seed), config }),
    userIDs: { name },
    date: new Date(createdTime),
    format: 'object',
    config,
  });
  return {
    fingerprint: publicKey.getFingerprint(),
    publicKey: publicKey.armor(),
    sign: async (bytes, time) =>
      sign({
        message: await createMessage({ binary: bytes }),
        signingKeys: privateKey,
        detached: true,
        date: new Date(Math.max(time, createdTime)),
        config,
      }),
  };
}

/** The key as a packet of version 4 without a password (RFC 4880, 5.5.3), since the library makes keys from random numbers alone. */
function secretKeyPacket(seed: Uint8Array): Uint8Array {
  const { publicBytes } = ed25519Key(seed);
  const secret = toMpi(seed);
  const checksum = Buffer.alloc(2);
  checksum.writeUInt16BE(secret.reduce((sum, byte) => sum + byte, 0) % 0x1_0000);
  const created = Buffer.alloc(4);
  created.writeUInt32BE(createdTime / 1000);
  const version = Buffer.from([4]);
  const noPassword = Buffer.from([0]);
  const point = toMpi(Buffer.concat([Buffer.from([0x40]), publicBytes]));
  const body = Buffer.concat([version, created, algorithm, point, noPassword, secret, checksum]);
  // 0xc5 is the tag of secret keys; a length below 192 is one byte.
  return Buffer.concat([Buffer.from([0xc5, body.length]), body]);
}

/** A number behind the count of its bits, without leading zeros. */
function toMpi(bytes: Uint8Array): Buffer {
  const number = bytes.subarray(bytes.findIndex((byte) => byte !== 0));
  const bits = Buffer.alloc(2);
  bits.writeUInt16BE(number.length * 8 - (Math.clz32(number[0] ?? 0) - 24));
  return Buffer.concat([bits, number]);
}
