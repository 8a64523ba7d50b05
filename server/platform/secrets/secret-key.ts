/** The key that seals secrets: SECRET_KEY, for processes that share a database, or a file in DATA_DIR created at the first start. */

import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '@patch/catalogue/parsers/sha256.ts';
import { StartupError } from '../errors/startup-error.ts';

const bytes = 32;

interface KeySource {
  readonly dataDir: string;
  /** SECRET_KEY; null if not set. */
  readonly secretKey: string | null;
}

/**
 * Returns 32 bytes; creates the key if it does not exist.
 * @throws StartupError when the file is not a valid key. A new one would make all sealed secrets unreadable.
 */
export const secretKey = (source: KeySource): Uint8Array =>
  knownSecretKey(source) ?? createKey(keyFile(source));

/** Returns the key like `secretKey`, but null if it does not exist. */
export const knownSecretKey = (source: KeySource): Uint8Array | null =>
  source.secretKey === null ? readKey(keyFile(source)) : sha256(source.secretKey);

const keyFile = ({ dataDir }: KeySource) => join(dataDir, 'secret.key');

function readKey(file: string): Uint8Array | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new StartupError(`${file} cannot be read: ${(error as Error).message}.`, {
      cause: error,
    });
  }
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== bytes)
    throw new StartupError(
      `${file} is not a valid key. Restore the original file, or set SECRET_KEY.`,
    );
  return key;
}

function createKey(file: string): Uint8Array {
  const key = randomBytes(bytes);
  try {
    writeFileSync(file, `${key.toString('base64')}\n`, { flag: 'wx', mode: 0o600 });
    return key;
  } catch (error) {
    // Another process that started at the same time created the file first.
    const existing = (error as NodeJS.ErrnoException).code === 'EEXIST' ? readKey(file) : null;
    if (existing !== null) return existing;
    throw new StartupError(`${file} cannot be written: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}
