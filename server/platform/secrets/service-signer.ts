/** Ed25519 signatures with keys that follow from the service's key: one for each purpose, so that a signature of one is none of another. */

import { createPrivateKey, createPublicKey, hkdfSync, sign, verify } from 'node:crypto';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';

export interface ServiceSigner {
  /** The 32 bytes in base64. */
  readonly publicKey: string;
  readonly fingerprint: string;
  /** In base64. */
  sign(text: Uint8Array): string;
}

/** What Ed25519 keys begin with in DER (RFC 8410). */
const privateStart = Buffer.from('302e020100300506032b657004220420', 'hex');
const publicStart = Buffer.from('302a300506032b6570032100', 'hex');

/** `secret` is the service's key: all processes of an installation sign alike, and nothing more has to be kept. */
export function serviceSigner(secret: Uint8Array, purpose: string): ServiceSigner {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  const key = createPrivateKey({
    key: Buffer.concat([privateStart, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(key)
    .export({ format: 'der', type: 'spki' })
    .subarray(publicStart.length)
    .toString('base64');
  return {
    publicKey,
    fingerprint: fingerprintOf(publicKey),
    sign: (text) => sign(null, text, key).toString('base64'),
  };
}

export function fingerprintOf(publicKey: string): string {
  return sha256Hex(Buffer.from(publicKey, 'base64')).slice(0, 16);
}

/** The 32 bytes of an Ed25519 key in base64, and nothing else. */
export function isPublicKey(text: string): boolean {
  return /^[A-Za-z0-9+/]{43}=$/.test(text) && Buffer.from(text, 'base64').length === 32;
}

/** False as well when key or signature are not what they should be. */
export function isSignedBy(publicKey: string, text: Uint8Array, signature: string): boolean {
  try {
    const key = createPublicKey({
      key: Buffer.concat([publicStart, Buffer.from(publicKey, 'base64')]),
      format: 'der',
      type: 'spki',
    });
    return verify(null, text, key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}
