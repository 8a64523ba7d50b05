/** Encrypts secrets that must be read again, such as the mail server's password: AES-256-GCM, with a key outside the database. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export interface SecretBox {
  seal(text: string): string;
  /** Decrypts a sealed text. Returns null when it was sealed with another key or has changed. */
  open(sealed: string): string | null;
  /** Derives a key of 32 bytes for a purpose. */
  keyFor(purpose: string): Uint8Array;
}

/** A stored secret was sealed with another key. */
export class UnreadableSecret extends Error {
  override readonly name = 'UnreadableSecret';
  /** What happened, without the advice. */
  readonly words: string;
  readonly advice: string;
  /** @param secret - Such as 'The client secret'. */
  constructor(secret: string, advice: string) {
    const words = `${secret} cannot be read: the secret key has changed.`;
    super(`${words} ${advice}`);
    this.words = words;
    this.advice = advice;
  }
}

/** Returns the error of a promise that fails because of an unreadable secret. */
export function toUnreadable(error: unknown): UnreadableSecret {
  if (error instanceof UnreadableSecret) return error;
  throw error;
}

const version = 'v1';
const algorithm = 'aes-256-gcm';

/** @param key - 32 bytes. */
export function secretBox(key: Uint8Array): SecretBox {
  return {
    seal(text) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv(algorithm, key, nonce);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return [
        version,
        ...[nonce, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url')),
      ].join('.');
    },
    keyFor: (purpose) => Buffer.from(hkdfSync('sha256', key, '', purpose, 32)),
    open(sealed) {
      const [known, ...parts] = sealed.split('.');
      const [nonce, tag, text] = parts.map((part) => Buffer.from(part, 'base64url'));
      if (known !== version || nonce?.length !== 12 || tag?.length !== 16 || text === undefined)
        return null;
      try {
        const decipher = createDecipheriv(algorithm, key, nonce);
        decipher.setAuthTag(tag);
        return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
      } catch {
        return null;
      }
    },
  };
}
