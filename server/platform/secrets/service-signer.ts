/** Creates Ed25519 signatures with keys derived from the service's key, a different one for each purpose. */

import {
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { sha256Hex } from '@patch/catalogue/parsers/sha256.ts';

export interface ServiceSigner {
  /** 32 bytes in base64. */
  readonly publicKey: string;
  readonly fingerprint: string;
  /** Returns the signature in base64. */
  sign(text: Uint8Array): string;
}

/** Prefixes of Ed25519 keys in DER (RFC 8410). */
const privateStart = Buffer.from('302e020100300506032b657004220420', 'hex');
const publicStart = Buffer.from('302a300506032b6570032100', 'hex');

/** @param secret - The service's key, so that all processes of an installation sign with the same key. */
export function serviceSigner(secret: Uint8Array, purpose: string): ServiceSigner {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  const { key, publicBytes } = ed25519Key(seed);
  const publicKey = publicBytes.toString('base64');
  return {
    publicKey,
    fingerprint: toFingerprint(publicKey),
    sign: (text) => sign(null, text, key).toString('base64'),
  };
}

/** @param seed - 32 bytes: the private key. */
export function ed25519Key(seed: Uint8Array): {
  readonly key: KeyObject;
  /** 32 bytes. */
  readonly publicBytes: Buffer;
} {
  const key = createPrivateKey({
    key: Buffer.concat([privateStart, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicBytes = createPublicKey(key)
    .export({ format: 'der', type: 'spki' })
    .subarray(publicStart.length);
  return { key, publicBytes };
}

export function toFingerprint(publicKey: string): string {
  return sha256Hex(Buffer.from(publicKey, 'base64')).slice(0, 16);
}

/** Returns true for exactly 32 bytes in base64, the size of an Ed25519 key. */
export function isPublicKey(text: string): boolean {
  return /^[A-Za-z0-9+/]{43}=$/.test(text) && Buffer.from(text, 'base64').length === 32;
}

/** Returns false also for an invalid key or signature. */
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
