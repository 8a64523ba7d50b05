/** SHA-256 of a complete value. Streams are hashed with node:crypto while they are read. */
import { hash } from 'node:crypto';

/** Text is encoded as UTF-8. */
export const sha256 = (value: string | Uint8Array): Buffer => hash('sha256', value, 'buffer');

/** 64 lower-case digits. */
export const sha256Hex = (value: string | Uint8Array): string => hash('sha256', value);

/** 43 characters, without padding. */
export const sha256Base64Url = (value: string | Uint8Array): string =>
  hash('sha256', value, 'base64url');
