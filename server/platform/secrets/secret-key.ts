/** The key that secrets are sealed with: SECRET_KEY where several processes share a database, else a file in DATA_DIR that is made at the first start. */

import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '@patch/catalogue/parsers/sha256.ts';
import { StartupError } from '../config/startup-error.ts';

const bytes = 32;

/** Answers 32 bytes. Throws a StartupError when the file is there and is no key: a new one would make all that was sealed unreadable. */
export function secretKey({
  dataDir,
  secretKey: given,
}: {
  readonly dataDir: string;
  readonly secretKey: string | null;
}): Uint8Array {
  if (given !== null) return sha256(given);
  const file = join(dataDir, 'secret.key');
  return keptKey(file) ?? newKey(file);
}

/** As `secretKey`, without making a key: null where there is none yet. */
export function knownSecretKey({
  dataDir,
  secretKey: given,
}: {
  readonly dataDir: string;
  readonly secretKey: string | null;
}): Uint8Array | null {
  return given === null ? keptKey(join(dataDir, 'secret.key')) : sha256(given);
}

function keptKey(file: string): Uint8Array | null {
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
      `${file} is no key. Put back the one that was there, or set SECRET_KEY.`,
    );
  return key;
}

function newKey(file: string): Uint8Array {
  const key = randomBytes(bytes);
  try {
    writeFileSync(file, `${key.toString('base64')}\n`, { flag: 'wx', mode: 0o600 });
    return key;
  } catch (error) {
    // Another process that starts at the same time was faster.
    const kept = (error as NodeJS.ErrnoException).code === 'EEXIST' ? keptKey(file) : null;
    if (kept !== null) return kept;
    throw new StartupError(`${file} cannot be written: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}
