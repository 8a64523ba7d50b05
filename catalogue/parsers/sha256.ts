/** SHA-256 of a complete value. Streams are hashed with node:crypto while they are read. */
import { createHash } from 'node:crypto';

/** Text is encoded as UTF-8. */
export const sha256 = (value: string | Uint8Array): Buffer =>
  createHash('sha256').update(value).digest();

/** 64 lower-case digits. */
export const sha256Hex = (value: string | Uint8Array): string => sha256(value).toString('hex');

/** 43 characters, without padding. */
export const sha256Base64Url = (value: string | Uint8Array): string =>
  sha256(value).toString('base64url');
