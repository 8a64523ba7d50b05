/** Generates passwords, and hashes them as argon2id in PHC string format, on the thread pool so that other requests need not wait. */
import { argon2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { createConcurrencyLimiter } from '../../platform/http/concurrency-limiter.ts';

const derive = promisify(argon2);

/** OWASP's minimum for argon2id: memory in KiB, passes, lanes. */
const strength = { memory: 19_456, passes: 2, parallelism: 1 };

/** Uses two of the pool's four threads; files and compression need the others. */
const limitConcurrency = createConcurrencyLimiter({
  maxRunning: 2,
  maxWaiting: 200,
  busy: 'Too many people sign in at once.',
});

export async function hashPassword(password: string): Promise<string> {
  const nonce = randomBytes(16);
  const key = await limitConcurrency(() =>
    derive('argon2id', { ...strength, message: message(password), nonce, tagLength: 32 }),
  );
  return `$argon2id$v=19$m=${strength.memory},t=${strength.passes},p=${strength.parallelism}$${base64(nonce)}$${base64(key)}`;
}

/** A null hash, for an account that does not exist, takes as long and never matches. */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(
    hash ?? dummyHash,
  );
  if (parts === null)
    throw new Error('A password hash is not in the form in which this server writes it');
  const [, memory, passes, parallelism, nonce = '', storedKey = ''] = parts;
  const expected = Buffer.from(storedKey, 'base64');
  const key = await limitConcurrency(() =>
    derive('argon2id', {
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
      message: message(password),
      nonce: Buffer.from(nonce, 'base64'),
      tagLength: expected.length,
    }),
  );
  return timingSafeEqual(key, expected) && hash !== null;
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

const dummyHash = `$argon2id$v=19$m=${strength.memory},t=${strength.passes},p=${strength.parallelism}$${base64(randomBytes(16))}$${base64(randomBytes(32))}`;

/** Keyboards encode ü as one character or as two. */
const message = (password: string) => password.normalize('NFC');

/** No letters that look alike, since it is read from a screen and typed. 20 of 56 letters are 116 bits. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';

const fiveLetters = () =>
  Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('');

export const generatePassword = () => Array.from({ length: 4 }, fiveLetters).join('-');
