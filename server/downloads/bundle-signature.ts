/** Who made a bundle: an Ed25519 signature under the manifest, with a key that follows from the key that secrets are sealed with. */
import { createHash, createPrivateKey, createPublicKey, hkdfSync, sign, verify } from 'node:crypto';

export interface BundleSigner {
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
export function bundleSigner(secret: Uint8Array): BundleSigner {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'patch-repository catalogue bundles', 32));
  const key = createPrivateKey({ key: Buffer.concat([privateStart, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(publicStart.length).toString('base64');
  return { publicKey, fingerprint: fingerprintOf(publicKey), sign: (text) => sign(null, text, key).toString('base64') };
}

export function fingerprintOf(publicKey: string): string {
  return createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex').slice(0, 16);
}

/** False as well when key or signature are not what they should be. */
export function isSignedBy(publicKey: string, text: Uint8Array, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.concat([publicStart, Buffer.from(publicKey, 'base64')]), format: 'der', type: 'spki' });
    return verify(null, text, key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}
