/** Ed25519 signatures of lines in a published tree. */
import { createPublicKey, hash, verify } from 'node:crypto';
import { z } from 'zod';
import { TreeRefusal } from './tree-refusal.ts';

/** The id of a key: the first 16 hexadecimal digits of its SHA-256. */
const KeyId = z.string().regex(/^[\da-f]{16}$/);

export const RoleKeys = z.object({
  keys: z.array(KeyId).min(1).max(20),
  threshold: z.number().int().min(1).max(20),
});
export type RoleKeys = z.infer<typeof RoleKeys>;

/** Public keys by id, in base64. */
export const PublicKeys = z.record(KeyId, z.string().regex(/^[A-Za-z\d+/]{43}=$/));
export type PublicKeys = z.infer<typeof PublicKeys>;

const Signatures = z.object({
  signatures: z
    .array(z.object({ key: z.string().max(64), signature: z.string().max(200) }))
    .max(100),
});

/** Signs with one key of a role. */
export interface TreeSigner {
  /** 32 bytes in base64. */
  readonly publicKey: string;
  /** Returns the signature in base64. */
  sign(bytes: Uint8Array): string;
}

export const keyId = (publicKey: string): string =>
  hash('sha256', Buffer.from(publicKey, 'base64')).slice(0, 16);

/** Returns the line of signatures, with its line feed. */
export function signatureLine(signed: Uint8Array, signers: readonly TreeSigner[]): string {
  const signatures = signers.map((signer) => ({
    key: keyId(signer.publicKey),
    signature: signer.sign(signed),
  }));
  return `${JSON.stringify({ signatures })}\n`;
}

/** Returns true if enough different keys of the role have signed. */
export function isValidFor(
  signed: Uint8Array,
  line: string,
  { keys, threshold }: RoleKeys,
  publicKeys: PublicKeys,
): boolean {
  const { signatures } = parseTreeLine(line, Signatures, 'the signatures');
  const valid = new Set<string>();
  for (const { key, signature } of signatures) {
    const publicKey = keys.includes(key) ? publicKeys[key] : undefined;
    if (publicKey !== undefined && isSigned(publicKey, signed, signature)) valid.add(key);
  }
  return valid.size >= threshold;
}

/** The start of an Ed25519 public key in DER (RFC 8410). */
const publicStart = Buffer.from('302a300506032b6570032100', 'hex');

function isSigned(publicKey: string, signed: Uint8Array, signature: string): boolean {
  try {
    const der = Buffer.concat([publicStart, Buffer.from(publicKey, 'base64')]);
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return verify(null, signed, key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

/** @throws TreeRefusal `malformed`. */
export function parseTreeLine<T>(line: string, schema: z.ZodType<T>, name: string): T {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    throw new TreeRefusal('malformed', `The tree is malformed: ${name} is not JSON.`);
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new TreeRefusal(
    'malformed',
    `The tree is malformed: ${name} is not as described (${where}).`,
  );
}

/**
 * Returns the lines without their line feeds.
 * @throws TreeRefusal `malformed` when the text ends in the middle of a line.
 */
export function splitLines(bytes: Uint8Array, name: string): readonly string[] {
  const text = Buffer.from(bytes).toString();
  if (!text.endsWith('\n'))
    throw new TreeRefusal(
      'malformed',
      `The tree is malformed: ${name} ends in the middle of a line.`,
    );
  return text.slice(0, -1).split('\n');
}
